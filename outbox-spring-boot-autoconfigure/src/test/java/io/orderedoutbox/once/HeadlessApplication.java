/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.once;

import java.util.concurrent.CountDownLatch;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An application whose {@code main} method knows nothing of exit codes, and which would
 * run for ever, as one with a web server does.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class HeadlessApplication {

	public static void main(String[] arguments) {
		SpringApplication.run(HeadlessApplication.class, arguments);
	}

	@Bean
	Thread forEver() {
		Thread thread = new Thread(() -> {
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}, "for-ever");
		thread.start();
		return thread;
	}

}
