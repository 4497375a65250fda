/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.ecosystem;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.orderedoutbox.servers.Broker;
import io.orderedoutbox.servers.Servers;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * What arrives at an exchange of its own.
 */
final class Arrivals implements AutoCloseable {

	private final String exchange = "outbox-ecosystem-" + UUID.randomUUID();

	private final List<Arrival> all = new CopyOnWriteArrayList<>();

	private final Connection connection;

	private final Channel channel;

	Arrivals() {
		Broker broker = Servers.broker();
		ConnectionFactory factory = new ConnectionFactory();
		factory.setHost(broker.host());
		factory.setPort(broker.port());
		factory.setUsername(broker.username());
		factory.setPassword(broker.password());
		try {
			this.connection = factory.newConnection("outbox-ecosystem");
			this.channel = this.connection.createChannel();
			this.channel.exchangeDeclare(this.exchange, BuiltinExchangeType.TOPIC, true);
			this.channel.queueDeclare(this.exchange, true, false, false, Map.of());
			this.channel.queueBind(this.exchange, this.exchange, "#");
			this.channel
				.basicConsume(this.exchange, true,
						(tag, delivery) -> this.all.add(new Arrival(delivery.getEnvelope().getRoutingKey(),
								delivery.getProperties().getMessageId(),
								new String(delivery.getBody(), StandardCharsets.UTF_8))),
						(tag) -> {
						});
		}
		catch (IOException | TimeoutException ex) {
			throw new IllegalStateException("The broker takes no queue: see whether it runs", ex);
		}
	}

	String exchange() {
		return this.exchange;
	}

	/**
	 * Wait until that many have arrived.
	 * @return all that have arrived
	 */
	List<Arrival> await(int count) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.pollInterval(Duration.ofMillis(20))
			.until(() -> this.all.size() >= count);
		return List.copyOf(this.all);
	}

	List<String> texts() {
		return this.all.stream().map(Arrival::text).toList();
	}

	void clear() {
		this.all.clear();
	}

	@Override
	public void close() {
		try {
			this.channel.queueDelete(this.exchange);
			this.channel.exchangeDelete(this.exchange);
			this.connection.close();
		}
		catch (IOException ex) {
			throw new IllegalStateException("The queue of the test could not be removed", ex);
		}
	}

	/**
	 * A message.
	 */
	record Arrival(String routingKey, @Nullable String messageId, String text) {

	}

}
