/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.broker;

import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeoutException;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.orderedoutbox.benchmark.load.Payloads;
import io.orderedoutbox.publish.Route;
import io.orderedoutbox.publish.RoutingStrategy;
import io.orderedoutbox.servers.Broker;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory.ConfirmType;

/**
 * A durable queue of a scenario's own, reached by the default exchange.
 */
public final class BenchQueue implements AutoCloseable {

	private static final long PATIENCE = 300_000_000_000L;

	private final Broker broker;

	private final String name;

	private final Connection connection;

	private final Channel channel;

	private final Map<String, Object> arguments;

	private BenchQueue(Broker broker, String name, Connection connection, Map<String, Object> arguments)
			throws IOException {
		this.broker = broker;
		this.name = name;
		this.connection = connection;
		this.channel = connection.createChannel();
		this.arguments = arguments;
	}

	public static BenchQueue declare(Broker broker, String type) {
		String name = "outbox-benchmark-" + UUID.randomUUID();
		try {
			BenchQueue queue = new BenchQueue(broker, name, factory(broker).newConnection("outbox-benchmark"),
					Map.of("x-queue-type", type));
			queue.declare();
			return queue;
		}
		catch (IOException | TimeoutException ex) {
			throw new IllegalStateException("No queue could be declared on " + broker, ex);
		}
	}

	/**
	 * Declare the queue, if it is not there.
	 */
	public void declare() {
		try {
			this.channel.queueDeclare(this.name, true, false, false, this.arguments);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Delete the queue: what is sent to it is unroutable from now on.
	 */
	public void delete() {
		try {
			this.channel.queueDelete(this.name);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Delete what an instance has declared.
	 */
	public void deleteOthers(String exchange, String otherExchange, String... queues) {
		try {
			for (String queue : queues) {
				this.channel.queueDelete(queue);
			}
			this.channel.exchangeDelete(exchange);
			this.channel.exchangeDelete(otherExchange);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static ConnectionFactory factory(Broker broker) {
		ConnectionFactory factory = new ConnectionFactory();
		factory.setHost(broker.host());
		factory.setPort(broker.port());
		factory.setUsername(broker.username());
		factory.setPassword(broker.password());
		factory.setAutomaticRecoveryEnabled(false);
		return factory;
	}

	public String name() {
		return this.name;
	}

	/**
	 * Sends every event here.
	 */
	public RoutingStrategy routing() {
		Route here = Route.to("", this.name);
		return (publication) -> here;
	}

	/**
	 * A connection factory as an application without an outbox would have it.
	 */
	public CachingConnectionFactory connectionFactory() {
		CachingConnectionFactory factory = new CachingConnectionFactory(factory(this.broker));
		factory.setPublisherConfirmType(ConfirmType.SIMPLE);
		return factory;
	}

	public long depth() {
		try {
			return this.channel.messageCount(this.name);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Wait until so many messages have arrived. The end of a run is seen on the broker:
	 * asking the database would be counted.
	 */
	public void await(long messages) throws InterruptedException {
		long deadline = System.nanoTime() + PATIENCE;
		while (depth() < messages) {
			if (System.nanoTime() > deadline) {
				throw new IllegalStateException("Of %d messages only %d have arrived".formatted(messages, depth()));
			}
			Thread.sleep(10);
		}
	}

	/**
	 * Take everything out of the queue and see that it is what was sent: each number
	 * once, and for each key in ascending order. To be called when nobody sends any more.
	 * @param messages how many there must be
	 * @param keys how many keys they have, dealt out to the messages in turn; zero if the
	 * order does not matter
	 */
	public void verify(int messages, int keys) throws InterruptedException {
		if (depth() != messages) {
			throw new IllegalStateException("%d messages have arrived, not %d".formatted(depth(), messages));
		}
		Arrivals arrivals = new Arrivals(messages, keys);
		try {
			String consumer = this.channel.basicConsume(this.name, true,
					(tag, delivery) -> arrivals.add(Payloads.number(delivery.getBody())), (tag) -> {
					});
			arrivals.await(PATIENCE);
			this.channel.basicCancel(consumer);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		delete();
		try {
			this.connection.close();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
