/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * Starts the sample. Without a profile it brings its own database and broker; the
 * profiles {@code docker} and {@code services} use MySQL and RabbitMQ instead.
 */
@SpringBootApplication(proxyBeanMethods = false)
public class SampleApplication {

	/**
	 * Start the sample.
	 * @param args the arguments of the command line
	 */
	public static void main(String[] args) {
		SpringApplication.run(SampleApplication.class, args);
	}

}
