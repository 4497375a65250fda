/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.scenario;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import io.orderedoutbox.chaos.time.Waiting;

/**
 * Consumes the queue of a stage, looks out for messages, and comes back by itself as soon
 * as the broker does.
 */
final class Arrivals implements Runnable, AutoCloseable {

	private static final Duration BETWEEN_TRIES = Duration.ofMillis(10);

	private static final int PREFETCH = 1000;

	private static final int ACK_EVERY = 64;

	private final Queue<Watch> watches = new ConcurrentLinkedQueue<>();

	private final Map<String, Long> versions = new HashMap<>();

	private final ConnectionFactory factory;

	private final String queue;

	private final Thread thread = new Thread(this, "arrivals");

	private volatile boolean closed;

	private volatile CompletableFuture<Long> connected = new CompletableFuture<>();

	private long count;

	private long gaps;

	Arrivals(ConnectionFactory factory, String queue) {
		this.factory = factory;
		this.queue = queue;
		this.thread.setDaemon(true);
		this.thread.start();
	}

	@Override
	public void run() {
		while (!this.closed) {
			try (Connection connection = this.factory.newConnection("arrivals")) {
				this.connected.complete(System.nanoTime());
				consume(connection);
			}
			catch (IOException | TimeoutException | AlreadyClosedException ex) {
				// the broker is away
			}
			Waiting.sleep(BETWEEN_TRIES);
		}
	}

	private void consume(Connection connection) throws IOException {
		CountDownLatch end = new CountDownLatch(1);
		connection.addShutdownListener((cause) -> end.countDown());
		Channel channel = connection.createChannel();
		channel.basicQos(PREFETCH);
		channel.basicConsume(this.queue, false, new DefaultConsumer(channel) {

			@Override
			public void handleDelivery(String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body)
					throws IOException {
				arrived(Delivery.of(body, System.nanoTime()));
				if (envelope.getDeliveryTag() % ACK_EVERY == 0) {
					channel.basicAck(envelope.getDeliveryTag(), true);
				}
			}

		});
		while (!this.closed && end.getCount() > 0) {
			Waiting.sleep(BETWEEN_TRIES);
		}
	}

	private synchronized void arrived(Delivery delivery) {
		this.count++;
		long last = this.versions.getOrDefault(delivery.key(), 0L);
		if (delivery.version() > last) {
			this.gaps += delivery.version() - last - 1;
			this.versions.put(delivery.key(), delivery.version());
			this.watches.removeIf((watch) -> watch.sees(delivery));
		}
	}

	/**
	 * Looks out for the first message from now on that is as described, and is no
	 * duplicate.
	 */
	Watch watch(Predicate<Delivery> description) {
		Watch watch = new Watch(description, new CompletableFuture<>());
		this.watches.add(watch);
		return watch;
	}

	/**
	 * Expects the connection to be lost, and looks out for the time when it is there
	 * again.
	 */
	CompletableFuture<Long> nextConnection() {
		CompletableFuture<Long> next = new CompletableFuture<>();
		this.connected = next;
		return next;
	}

	/**
	 * How many messages are missing before later ones of their key.
	 */
	synchronized long gaps() {
		return this.gaps;
	}

	synchronized long count() {
		return this.count;
	}

	/**
	 * The sum over the keys of the latest version of each: the number of different
	 * messages that arrived.
	 */
	synchronized long different() {
		return this.versions.values().stream().mapToLong(Long::longValue).sum();
	}

	@Override
	public void close() {
		this.closed = true;
	}

	static <T> T await(CompletableFuture<T> future, Duration patience) {
		try {
			return future.get(patience.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while waiting for an arrival", ex);
		}
		catch (ExecutionException | TimeoutException ex) {
			throw new IllegalStateException("Nothing of that kind has arrived within " + patience, ex);
		}
	}

	/**
	 * Somebody who looks out for a message.
	 */
	record Watch(Predicate<Delivery> description, CompletableFuture<Delivery> seen) {

		private boolean sees(Delivery delivery) {
			return this.description.test(delivery) && this.seen.complete(delivery);
		}

		Delivery await(Duration patience) {
			return Arrivals.await(this.seen, patience);
		}

	}

}
