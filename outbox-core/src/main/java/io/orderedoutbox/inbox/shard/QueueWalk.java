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
import org.springframework.amqp.AmqpResourceNotAvailableException;
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
 * <li>Unless the broker has told at the beginning of more messages: what a node hands out
 * for another one may come late, and other consumers may have some.</li>
 * </ol>
 * That number alone says nothing: it is 0 as well if the leader of a quorum queue is
 * silent. A consumer has to wait for that leader.
 */
public final class QueueWalk {

	private static final long PAUSE_MILLIS = 20;

	private static final long CANCEL_SECONDS = 30;

	private final BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();

	private final Channel channel;

	private final String queue;

	private @Nullable Consumer consumer;

	private int taken;

	private boolean hasBegun;

	private long told;

	private long seen;

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
	 * @return the message, {@code null} if nothing comes any more: {@link #hasSeenAll}
	 * says whether all messages that were in the queue are taken
	 * @throws IOException if the broker fails
	 * @throws org.springframework.amqp.AmqpException if the broker, or the threads of the
	 * connection, do not answer
	 */
	public @Nullable Delivery next() throws IOException {
		begin();
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

	private void begin() throws IOException {
		if (!this.hasBegun) {
			this.hasBegun = true;
			this.told = this.channel.messageCount(this.queue);
		}
	}

	private @Nullable Delivery poll(long millis) {
		try {
			Delivery next = this.deliveries.poll(millis, TimeUnit.MILLISECONDS);
			if (next != null) {
				this.taken++;
				this.seen++;
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
	 * Return how many messages the broker tells of before the first one is taken.
	 * @return how many there are, or zero if the leader of the queue is silent
	 * @throws IOException if the broker fails
	 */
	public long told() throws IOException {
		begin();
		return this.told;
	}

	/**
	 * Return whether the broker has handed out at least as many messages as it has told
	 * of.
	 * @return whether the end of the walk is the end of the queue
	 */
	public boolean hasSeenAll() {
		return this.seen >= this.told;
	}

	/**
	 * Refuse to take what has come for all that there is.
	 * @throws AmqpResourceNotAvailableException if fewer messages have come than the
	 * broker has told of
	 */
	public void requireAll() {
		if (!hasSeenAll()) {
			throw new AmqpResourceNotAvailableException(
					"Of queue '%s' only %d of %d message(s) could be looked at: another consumer may have the others, or a node of the broker hands them out late. Try it again"
						.formatted(this.queue, this.seen, this.told));
		}
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
