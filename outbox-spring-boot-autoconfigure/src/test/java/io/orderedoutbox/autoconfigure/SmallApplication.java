/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import io.orderedoutbox.Outbox;
import io.orderedoutbox.testing.OrderPlaced;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * An application that needs nothing but the outbox: it publishes one event and runs on.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class SmallApplication {

	/**
	 * Called by reflection, on a class path with less on it than that of the test.
	 */
	public static AutoCloseable start(String... arguments) {
		ConfigurableApplicationContext context = new SpringApplicationBuilder(SmallApplication.class)
			.web(WebApplicationType.NONE)
			.registerShutdownHook(false)
			.run(arguments);
		context.getBean(TransactionTemplate.class)
			.executeWithoutResult((status) -> context.getBean(Outbox.class).publish(new OrderPlaced("a", 1)));
		return context;
	}

}
