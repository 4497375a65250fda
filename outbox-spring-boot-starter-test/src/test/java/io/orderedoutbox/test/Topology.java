/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import org.springframework.amqp.core.AnonymousQueue;
import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.BindingBuilder;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.TopicExchange;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * Where messages arrive at a broker.
 */
@TestConfiguration(proxyBeanMethods = false)
class Topology {

	static final String EXCHANGE = "outbox-test-starter";

	@Bean
	TopicExchange exchange() {
		return new TopicExchange(EXCHANGE, false, true);
	}

	@Bean
	Queue queue() {
		return new AnonymousQueue();
	}

	@Bean
	Binding binding(Queue queue, TopicExchange exchange) {
		return BindingBuilder.bind(queue).to(exchange).with("#");
	}

}
