/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.oracle;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DeliverCallback;
import io.orderedoutbox.chaos.server.BrokerConnections;
import io.orderedoutbox.chaos.server.ControlledServers;

/**
 * A consumer that remembers everything that arrives, in the order of the broker, and
 * comes back whenever it has lost the broker. It acknowledges what it remembers.
 */
public final class Recorder implements Recording {

	private static final int PREFETCH = 2000;

	private static final int ACKNOWLEDGE_MILLIS = 20;

	private final List<Arrival> arrivals = Collections.synchronizedList(new ArrayList<>());

	private final ArrivalReader reader = new ArrivalReader();

	private final CountDownLatch end = new CountDownLatch(1);

	private final ControlledServers servers;

	private final String queue;

	private final Thread thread = new Thread(this::record, "recorder");

	private volatile boolean paused;

	private int session;

	/**
	 * Start to record.
	 * @param servers where the broker is
	 * @param queue the queue
	 */
	public Recorder(ControlledServers servers, String queue) {
		this.servers = servers;
		this.queue = queue;
		this.thread.start();
	}

	private void record() {
		try {
			do {
				this.session++;
				try (Connection connection = BrokerConnections.open(this.servers, "chaos-recorder")) {
					record(connection);
				}
				catch (IOException | AlreadyClosedException ex) {
					// The broker is away, or was while we said good-bye
				}
			}
			while (!this.end.await(100, TimeUnit.MILLISECONDS));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void record(Connection connection) throws IOException, InterruptedException {
		int current = this.session;
		Channel channel = connection.createChannel();
		AtomicLong latest = new AtomicLong();
		channel.basicQos(PREFETCH);
		DeliverCallback remember = (consumer, delivery) -> {
			Arrival arrival = this.reader.read(delivery, current);
			this.arrivals.add(arrival);
			latest.set(delivery.getEnvelope().getDeliveryTag());
		};
		long acknowledged = 0;
		String consuming = null;
		while (latest.get() >= 0 && channel.isOpen() && !this.end.await(ACKNOWLEDGE_MILLIS, TimeUnit.MILLISECONDS)) {
			if (consuming == null && !this.paused) {
				consuming = channel.basicConsume(this.queue, false, remember, (consumer) -> latest.set(-1));
			}
			else if (consuming != null && this.paused) {
				channel.basicCancel(consuming);
				consuming = null;
			}
			long tag = latest.get();
			if (tag > acknowledged) {
				channel.basicAck(tag, true);
				acknowledged = tag;
			}
		}
	}

	/**
	 * Leave in the queue what gets there, or take it from now on.
	 * @param whether whether to pause
	 */
	public void pause(boolean whether) {
		this.paused = whether;
	}

	@Override
	public int count() {
		return this.arrivals.size();
	}

	@Override
	public List<Arrival> arrivals() {
		return List.copyOf(this.arrivals);
	}

	@Override
	public void stop() {
		this.end.countDown();
		try {
			this.thread.join(TimeUnit.SECONDS.toMillis(15));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
