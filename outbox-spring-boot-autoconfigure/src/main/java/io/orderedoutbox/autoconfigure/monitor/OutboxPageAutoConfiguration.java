/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.monitor;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitch;
import io.orderedoutbox.autoconfigure.condition.NotInParentContext;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.monitor.console.AllowedHosts;
import io.orderedoutbox.monitor.console.InboxOverview;
import io.orderedoutbox.monitor.console.MonitorPage;
import io.orderedoutbox.monitor.console.MonitorSamplers;
import io.orderedoutbox.monitor.console.OutboxConsoles;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the monitor page.
 */
@AutoConfiguration(after = OutboxConsoleAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({ DispatcherServlet.class, RouterFunction.class })
@ConditionalOnSwitch(Switch.PAGE)
@ConditionalOnBean(OutboxConsoles.class)
@EnableConfigurationProperties(OutboxMonitorProperties.class)
public final class OutboxPageAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(OutboxPageAutoConfiguration.class);

	private static final String SPRING_SECURITY = "org.springframework.security.web.SecurityFilterChain";

	@Bean
	@NotInParentContext
	MonitorSamplers orderedOutboxMonitorSamplers(OutboxConsoles consoles) {
		return new MonitorSamplers(consoles);
	}

	@Bean
	@ConditionalOnMissingBean(name = "outboxMonitorRoutes")
	RouterFunction<ServerResponse> outboxMonitorRoutes(OutboxConsoles consoles, MonitorSamplers samplers,
			ObjectProvider<InboxOverview> inbox, OutboxMonitorProperties properties, ResourceLoader resources) {
		requireRule(properties, resources.getClassLoader());
		return new MonitorPage(consoles, samplers, inbox.getIfAvailable(() -> InboxOverview.NONE), properties.path(),
				hosts(properties, resources.getClassLoader()))
			.routes();
	}

	// A rule asks for a session or a password, which no browser sends to another name. A
	// proxy that does so can be passed by
	private static AllowedHosts hosts(OutboxMonitorProperties properties, @Nullable ClassLoader classLoader) {
		boolean ruled = properties.secured() && ClassUtils.isPresent(SPRING_SECURITY, classLoader);
		return (ruled && properties.allowedHosts().isEmpty()) ? AllowedHosts.any()
				: AllowedHosts.of(properties.allowedHosts());
	}

	private static void requireRule(OutboxMonitorProperties properties, @Nullable ClassLoader classLoader) {
		String path = properties.path();
		if (properties.secured()) {
			logger.atInfo().addKeyValue("path", path).log("The monitor page of the outbox is at {}/", path);
		}
		else if (ClassUtils.isPresent(SPRING_SECURITY, classLoader)) {
			throw new OutboxConfigurationException(
					"The monitor page of the outbox can act on messages, and nothing says who may see it.",
					"Let a SecurityFilterChain decide who may request %s and %s/**, and confirm it with outbox.monitor.secured=true."
						.formatted(path, path));
		}
		else {
			logger.atWarn()
				.addKeyValue("path", path)
				.log("The monitor page of the outbox is at {}/, open to everybody who reaches this application", path);
		}
	}

}
