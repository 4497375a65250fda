package io.orderedoutbox.sample.web;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Says where the page is, once it is there.
 */
@Component
class PageAddress {

	private static final Logger logger = LoggerFactory.getLogger(PageAddress.class);

	@EventListener
	void announce(WebServerInitializedEvent event) {
		logger.info("The page is at http://localhost:{}", event.getWebServer().getPort());
	}

}
