/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.util.List;
import java.util.concurrent.CompletableFuture;

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
	 * Start it on a class path with less on it than that of the test.
	 */
	static AutoCloseable startOn(ClassLoader classPath, List<String> arguments) throws ReflectiveOperationException {
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		thread.setContextClassLoader(classPath);
		try {
			return (AutoCloseable) classPath.loadClass(SmallApplication.class.getName())
				.getMethod("start", String[].class)
				.invoke(null, (Object) arguments.toArray(String[]::new));
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

	/**
	 * Called by reflection, as the class of that class path.
	 */
	public static AutoCloseable start(String... arguments) {
		SpringApplicationBuilder application = new SpringApplicationBuilder(SmallApplication.class)
			.web(WebApplicationType.NONE)
			.registerShutdownHook(false);
		// No class of this package is on the stack below Spring: none is in an
		// application
		ConfigurableApplicationContext context = CompletableFuture.completedFuture(arguments)
			.thenApplyAsync(application::run, (task) -> new Thread(task, "small-application").start())
			.join();
		context.getBean(TransactionTemplate.class)
			.executeWithoutResult((status) -> context.getBean(Outbox.class).publish(new OrderPlaced("a", 1)));
		return context;
	}

}
