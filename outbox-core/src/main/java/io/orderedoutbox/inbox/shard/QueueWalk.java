/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.shard;

import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpIOException;
import org.springframework.amqp.AmqpTimeoutException;

/**
 * Takes the messages out of a queue one after the other, to its end. What is not
 * acknowledged goes back when the channel is closed, and a quorum queue keeps its order
 * then. (What {@code basic.get} has taken it takes back in any order.)
 * <ol>
 * <li>Consume, with a limit of messages that are not acknowledged.</li>
 * <li>When nothing comes for a moment, the consumer may hold as much as it may, or the
 * queue may be at its end, or the network or this process slow. So cancel the consumer:
 * the queue confirms that after all that it has handed out, and the confirmation comes by
 * the same road. Whatever was on its way is here then.</li>
 * <li>If nothing was, do the same with another consumer, which holds nothing. The queue
 * hands all that is ready to it before it confirms anything. If that is nothing, this is
 * the end.</li>
 * </ol>
 * The number of messages that the broker tells is not asked for: it is 0 as well if the
 * leader of a quorum queue is silent. A consumer has to wait for that leader.
 */
public final class QueueWalk {

	private static final long PAUSE_MILLIS = 20;

	private static final long CANCEL_SECONDS = 30;

	private final BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();

	private final Channel channel;

	private final String queue;

	private @Nullable Consumer consumer;

	private int taken;

	/**
	 * Create a walk.
	 * @param channel is used for nothing else, and closed after the walk
	 * @param queue the name of the queue
	 */
	public QueueWalk(Channel channel, String queue) {
		this.channel = channel;
		this.queue = queue;
	}

	/**
	 * Return the next message.
	 * @return the message, {@code null} if all messages that were in the queue when this
	 * was called are taken
	 * @throws IOException if the broker fails
	 * @throws org.springframework.amqp.AmqpException if the broker, or the threads of the
	 * connection, do not answer
	 */
	public @Nullable Delivery next() throws IOException {
		if (this.consumer == null) {
			this.consumer = consume();
		}
		Delivery next = poll(PAUSE_MILLIS);
		if (next == null) {
			cancel(this.consumer);
			next = poll(0);
			if (next == null) {
				cancel(consume());
				next = poll(0);
			}
			this.consumer = null;
		}
		return next;
	}

	private @Nullable Delivery poll(long millis) {
		try {
			Delivery next = this.deliveries.poll(millis, TimeUnit.MILLISECONDS);
			if (next != null) {
				this.taken++;
			}
			return next;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new AmqpIOException(new IOException("Interrupted", ex));
		}
	}

	private Consumer consume() throws IOException {
		this.channel.basicQos(ShardQueues.PREFETCH);
		Consumer started = new Consumer();
		started.tag = this.channel.basicConsume(this.queue, false, started);
		return started;
	}

	private void cancel(Consumer running) throws IOException {
		this.channel.basicCancel(running.tag);
		try {
			running.cancelled.get(CANCEL_SECONDS, TimeUnit.SECONDS);
		}
		catch (TimeoutException ex) {
			throw new AmqpTimeoutException(
					"The messages of queue '%s' do not come within %d s: the threads of the connection to the broker are busy"
						.formatted(this.queue, CANCEL_SECONDS),
					ex);
		}
		catch (ExecutionException ex) {
			throw new IOException(ex.getCause());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new AmqpIOException(new IOException("Interrupted", ex));
		}
	}

	/**
	 * Acknowledge a message.
	 * @param delivery the message
	 * @throws IOException if the connection is lost
	 */
	public void acknowledge(Delivery delivery) throws IOException {
		this.channel.basicAck(delivery.getEnvelope().getDeliveryTag(), false);
		this.taken--;
	}

	/**
	 * Return how many messages go back when the channel is closed.
	 * @return how many were taken, and not acknowledged
	 */
	public int held() {
		return this.taken + this.deliveries.size();
	}

	// Its calls come one after the other
	private final class Consumer extends DefaultConsumer {

		private final CompletableFuture<Void> cancelled = new CompletableFuture<>();

		// The one of the base class comes by the threads of the connection
		private String tag = "";

		Consumer() {
			super(QueueWalk.this.channel);
		}

		@Override
		public void handleDelivery(String tag, Envelope envelope, BasicProperties properties, byte[] body) {
			QueueWalk.this.deliveries.add(new Delivery(envelope, properties, body));
		}

		@Override
		public void handleCancelOk(String tag) {
			this.cancelled.complete(null);
		}

		@Override
		public void handleCancel(String tag) throws IOException {
			this.cancelled.completeExceptionally(new IOException("The queue was deleted"));
		}

		@Override
		public void handleShutdownSignal(String tag, ShutdownSignalException signal) {
			this.cancelled.completeExceptionally(signal);
		}

	}

}
