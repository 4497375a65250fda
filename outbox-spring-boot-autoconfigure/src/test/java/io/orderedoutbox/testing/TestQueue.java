/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.testing;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.orderedoutbox.servers.Broker;
import io.orderedoutbox.servers.Servers;
import org.awaitility.Awaitility;

/**
 * A topic exchange with one queue that gets everything published to it, and a consumer
 * that remembers what arrived, in the order of the broker. All have names of their own.
 */
public final class TestQueue implements AutoCloseable {

	private final String exchange = "outbox-test-" + UUID.randomUUID();

	private final List<Arrival> arrivals = new CopyOnWriteArrayList<>();

	private final Connection connection;

	private final Channel channel;

	private TestQueue(String bindingKey) {
		try {
			this.connection = connect("outbox-test-queue");
			this.channel = this.connection.createChannel();
			this.channel.exchangeDeclare(this.exchange, BuiltinExchangeType.TOPIC, true);
			this.channel.queueDeclare(this.exchange, true, false, false, Map.of());
			this.channel.queueBind(this.exchange, this.exchange, bindingKey);
			this.channel.basicConsume(this.exchange, true,
					(tag, delivery) -> this.arrivals.add(new Arrival(delivery.getEnvelope().getRoutingKey(),
							delivery.getProperties(), delivery.getBody(), System.nanoTime())),
					(tag) -> {
					});
		}
		catch (IOException ex) {
			throw new IllegalStateException("The test queue could not be set up", ex);
		}
	}

	/**
	 * A queue for every message that is published to its exchange.
	 */
	public static TestQueue forEverything() {
		return new TestQueue("#");
	}

	/**
	 * A queue for the routing keys that match; other messages are unroutable.
	 */
	public static TestQueue bound(String bindingKey) {
		return new TestQueue(bindingKey);
	}

	/**
	 * A connection of the test's own to the broker.
	 */
	public static Connection connect(String name) {
		Broker broker = Servers.broker();
		ConnectionFactory factory = new ConnectionFactory();
		factory.setHost(broker.host());
		factory.setPort(broker.port());
		factory.setUsername(broker.username());
		factory.setPassword(broker.password());
		factory.setAutomaticRecoveryEnabled(false);
		try {
			return factory.newConnection(name);
		}
		catch (IOException | TimeoutException ex) {
			throw new IllegalStateException("The broker does not answer", ex);
		}
	}

	public String exchange() {
		return this.exchange;
	}

	public Channel channel() {
		return this.channel;
	}

	public List<Arrival> arrivals() {
		return this.arrivals;
	}

	/**
	 * What arrived, without repetitions of a message.
	 */
	public List<Arrival> firstArrivals() {
		Set<String> seen = new HashSet<>();
		return this.arrivals.stream().filter((arrival) -> seen.add(arrival.messageId())).toList();
	}

	/**
	 * The versions of an order, in the order of their first arrivals.
	 */
	public List<Integer> versionsOf(String orderId) {
		Pattern order = Pattern.compile("\\{\"orderId\":\"%s\",\"version\":(\\d+)}".formatted(orderId));
		return firstArrivals().stream()
			.map((arrival) -> order.matcher(arrival.text()))
			.filter(Matcher::matches)
			.map((matcher) -> Integer.valueOf(matcher.group(1)))
			.toList();
	}

	/**
	 * Route more messages to the queue.
	 */
	public void bind(String bindingKey) {
		try {
			this.channel.queueBind(this.exchange, this.exchange, bindingKey);
		}
		catch (IOException ex) {
			throw new IllegalStateException("The test queue could not be bound", ex);
		}
	}

	/**
	 * Wait until that many messages have arrived.
	 */
	public List<Arrival> await(int count) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.pollInterval(Duration.ofMillis(20))
			.until(() -> this.arrivals.size() >= count);
		return List.copyOf(this.arrivals);
	}

	@Override
	public void close() {
		try {
			this.channel.queueDelete(this.exchange);
			this.channel.exchangeDelete(this.exchange);
			this.connection.close();
		}
		catch (IOException ex) {
			throw new IllegalStateException("The test queue could not be removed", ex);
		}
	}

	/**
	 * A message as it arrived.
	 */
	public record Arrival(String routingKey, AMQP.BasicProperties properties, byte[] body, long arrivedAt) {

		public String messageId() {
			return this.properties.getMessageId();
		}

		public String text() {
			return new String(this.body, java.nio.charset.StandardCharsets.UTF_8);
		}

	}

}
