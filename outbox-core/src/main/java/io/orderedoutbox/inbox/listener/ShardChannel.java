/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.connection.ChannelProxy;

/**
 * The channel by which the messages of a queue come to a consumer.
 * <p>
 * When the consumer gives the queue up, it begins no further message of it. What it has
 * begun ends, and is acknowledged. Then the channel can be closed: what was not
 * acknowledged goes back to its place in the queue, and the broker hands it to the next
 * consumer in order.
 * <p>
 * The channel of Spring is a proxy, which opens another channel when the one behind it is
 * closed: then it looks as if deliveries of the old one could still be acknowledged. This
 * is the one behind it.
 */
final class ShardChannel {

	private static final Logger log = LoggerFactory.getLogger(ShardListenerContainerFactory.class);

	private final @Nullable Channel target;

	private final String queue;

	private final CompletableFuture<Void> idle = new CompletableFuture<>();

	private final AtomicInteger unacknowledged = new AtomicInteger();

	private int processing;

	private boolean isGivenUp;

	private volatile long lastDelivery = System.nanoTime();

	private final ParkedKeys parkedKeys;

	private ShardChannel(@Nullable Channel target, String queue, ParkedKeys parkedKeys) {
		this.target = target;
		this.queue = queue;
		this.parkedKeys = parkedKeys;
	}

	static ShardChannel of(Channel channel, String queue, ParkedKeys parkedKeys) {
		return new ShardChannel((channel instanceof ChannelProxy proxy) ? proxy.getTargetChannel() : channel, queue,
				parkedKeys);
	}

	String queue() {
		return this.queue;
	}

	/** What the consumer has learned of dead letters that others follow. */
	ParkedKeys parkedKeys() {
		return this.parkedKeys;
	}

	/**
	 * Take notice that a message has come.
	 * @param isRedelivered whether the broker has delivered it before
	 */
	void delivered(boolean isRedelivered) {
		long now = System.nanoTime();
		this.parkedKeys.delivered(now, isRedelivered);
		this.unacknowledged.incrementAndGet();
		this.lastDelivery = now;
	}

	/** Return whether a message has come since then, or one that came is not done. */
	boolean isServedSince(long nanoTime) {
		return this.unacknowledged.get() > 0 || this.lastDelivery - nanoTime > 0;
	}

	/**
	 * Begin to process a message.
	 * @return whether it may be processed. If so, {@link #end()} must follow
	 */
	synchronized boolean begin() {
		if (isVoid()) {
			return false;
		}
		this.processing++;
		return true;
	}

	void end() {
		boolean isIdle;
		synchronized (this) {
			this.processing--;
			isIdle = isIdleForEver();
		}
		if (isIdle) {
			this.idle.complete(null);
		}
	}

	/** Return how many messages are being processed. */
	synchronized int processing() {
		return this.processing;
	}

	/** Whether no message that came by the channel may be processed any more. */
	synchronized boolean isVoid() {
		return this.isGivenUp || !isOpen();
	}

	private boolean isIdleForEver() {
		return this.isGivenUp && this.processing == 0;
	}

	/** Whether what came by the channel can be acknowledged. */
	boolean isOpen() {
		return this.target != null && this.target.isOpen();
	}

	/**
	 * Begin no further message.
	 * @return is complete when all that has begun has ended
	 */
	CompletableFuture<Void> giveUp() {
		boolean isIdle;
		synchronized (this) {
			this.isGivenUp = true;
			isIdle = isIdleForEver();
		}
		if (isIdle) {
			this.idle.complete(null);
		}
		return this.idle;
	}

	void acknowledge(long deliveryTag) {
		this.unacknowledged.decrementAndGet();
		try {
			if (this.target != null) {
				this.target.basicAck(deliveryTag, false);
			}
		}
		catch (IOException | ShutdownSignalException ex) {
			log.debug("A message was processed, and could not be acknowledged: the broker delivers it again", ex);
		}
	}

	void close() {
		try {
			if (this.target != null) {
				this.target.abort();
			}
		}
		catch (IOException | ShutdownSignalException | AmqpException ex) {
			log.debug("The channel of a shard was closed already", ex);
		}
	}

}
