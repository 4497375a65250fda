/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample;

import java.util.UUID;

import io.orderedoutbox.inbox.shard.ShardQueues;
import io.orderedoutbox.servers.Broker;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;

import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.test.context.DynamicPropertyRegistry;

/**
 * Properties of a sample that runs on the database and the broker that {@link Servers}
 * chose, with a schema, an exchange and queues of its own.
 *
 * @param name the name of the exchange and of the queue of the timeline
 */
record SampleOnServers(String name) {

	private static final int SHARDS = 8;

	static SampleOnServers fresh() {
		return new SampleOnServers("sample-test-" + UUID.randomUUID());
	}

	/**
	 * What the names of the queues of billing begin with: short, since the page shows it.
	 */
	String billing() {
		return "billing-" + this.name.substring(this.name.length() - 8);
	}

	void register(DynamicPropertyRegistry registry) {
		Database database = Servers.database().fresh();
		Broker broker = Servers.broker();
		registry.add("spring.datasource.url", database::jdbcUrl);
		registry.add("spring.datasource.username", database::username);
		registry.add("spring.datasource.password", database::password);
		registry.add("spring.rabbitmq.host", broker::host);
		registry.add("spring.rabbitmq.port", broker::port);
		registry.add("spring.rabbitmq.username", broker::username);
		registry.add("spring.rabbitmq.password", broker::password);
		registry.add("outbox.rabbit.exchange", this::name);
		registry.add("outbox.rabbit.shards.name", this::billing);
		registry.add("sample.queue", this::name);
		if (!broker.isRabbitMq()) {
			registry.add("sample.billing.enabled", () -> "false");
			registry.add("outbox.rabbit.shards.count", () -> "");
		}
	}

	void leaveTheBrokerAsItWas(RabbitListenerEndpointRegistry listeners, AmqpAdmin broker) {
		listeners.stop();
		broker.deleteQueue(this.name);
		if (Servers.broker().isRabbitMq()) {
			ShardQueues shards = ShardQueues.of(this.name, billing(), SHARDS);
			for (String queue : shards.names()) {
				broker.deleteQueue(queue);
			}
			broker.deleteQueue(shards.deadLetters());
			// The sign that these queues are the only ones
			broker.deleteExchange(billing() + "." + SHARDS);
		}
		broker.deleteExchange(this.name);
	}

}
