/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.app;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * An application that only consumes, without an outbox. It is told with {@code chaos.*}
 * what to call itself and where to leave its traces.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ ReadyFile.class, EffectListener.class, OutcomeRecorder.class, Replays.class })
public class ConsumerApplication {

	/**
	 * Start it.
	 * @param arguments Spring Boot's
	 */
	public static void main(String[] arguments) {
		SpringApplication.run(ConsumerApplication.class, arguments);
	}

}
