/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.testing;

import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Listener containers that end soon: one of Spring Boot's ends when it has waited for a
 * message for a second.
 */
@Configuration(proxyBeanMethods = false)
public class ShortWaits {

	@Bean
	ContainerCustomizer<SimpleMessageListenerContainer> waitsShortly() {
		return (container) -> container.setReceiveTimeout(20);
	}

}
