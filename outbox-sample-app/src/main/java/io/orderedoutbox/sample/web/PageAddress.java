/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.web;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Says where the pages are, once they are there.
 */
@Component
class PageAddress {

	private static final Logger logger = LoggerFactory.getLogger(PageAddress.class);

	@EventListener
	void announce(WebServerInitializedEvent event) {
		int port = event.getWebServer().getPort();
		logger.info("The page is at http://localhost:{}, and the monitor of the outbox at http://localhost:{}/outbox/",
				port, port);
	}

}
