/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import com.rabbitmq.client.Channel;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.Message;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;
import org.springframework.util.backoff.BackOffExecution;

/**
 * A message of a shard from its delivery until it is acknowledged.
 * <ol>
 * <li>If it follows a dead letter, make a dead letter of it, and acknowledge it when the
 * broker has confirmed that.</li>
 * <li>Process it. If that succeeds, acknowledge it.</li>
 * <li>If it fails, wait and process it again, at growing intervals.</li>
 * <li>If it was tried as often as allowed, or fails in a way that another attempt cannot
 * mend, give it up: make a dead letter of it, and acknowledge it when the broker has
 * confirmed that. As long as that is not possible try that again, and do not process it:
 * it may be known as a dead letter already.</li>
 * <li>If its channel is closed or given up, do nothing: the broker delivers it again. If
 * it fails while the container is about to stop, let it wait, and with it all that is
 * behind it, until the container has stopped: the broker delivers all of that again.</li>
 * </ol>
 */
final class ShardDelivery implements KeyDispatcher.Work {

	private final ShardListenerContainer container;

	private final Channel channel;

	private final ShardChannel source;

	private final Message message;

	private final OrderingKeys orderingKeys;

	private final BackOffExecution backOff;

	private final AtomicInteger failures = new AtomicInteger();

	private @Nullable Throwable reasonToGiveUp;

	// Until it is known whether it follows a dead letter
	private volatile boolean isHeld;

	/**
	 * Create a delivery.
	 * @param channel the channel that the listener sees
	 * @param source the channel that the message came by
	 * @param orderingKeys what it is processed in order of
	 */
	ShardDelivery(ShardListenerContainer container, Channel channel, ShardChannel source, Message message,
			OrderingKeys orderingKeys) {
		this.container = container;
		this.channel = channel;
		this.source = source;
		this.message = message;
		this.orderingKeys = orderingKeys;
		this.backOff = container.failures().backOff();
	}

	@Override
	public @Nullable Duration run() {
		if (!this.source.begin()) {
			return null;
		}
		try {
			return attempt();
		}
		finally {
			this.source.end();
		}
	}

	private @Nullable Duration attempt() {
		if (this.reasonToGiveUp != null) {
			return giveUp(this.reasonToGiveUp);
		}
		if (this.failures.get() > 0) {
			this.container.failures().retried(queue());
			return process();
		}
		try {
			if (this.container.failures().follows(this)) {
				acknowledge();
				return null;
			}
		}
		catch (AmqpException | DataAccessException | TransactionException ex) {
			this.container.failures().cannotFollow(this, ex);
			this.isHeld = true;
			return pause();
		}
		this.isHeld = false;
		return process();
	}

	private @Nullable Duration process() {
		Throwable failure = this.container.process(this.channel, this.message);
		if (failure == null) {
			acknowledge();
			return null;
		}
		if (!this.source.isOpen()) {
			return null;
		}
		// Not done: what is behind it must not begin before the dispatcher is closed
		if (this.container.isStopping()) {
			return pause();
		}
		return this.container.failures().isGivenUp(failure, this.failures.incrementAndGet()) ? giveUp(failure)
				: pause();
	}

	private @Nullable Duration giveUp(Throwable failure) {
		this.reasonToGiveUp = failure;
		if (this.container.failures().becomesDeadLetter(this, failure, this.failures.get())) {
			acknowledge();
			return null;
		}
		return pause();
	}

	private Duration pause() {
		return Duration.ofMillis(this.backOff.nextBackOff());
	}

	private void acknowledge() {
		this.source.acknowledge(this.message.getMessageProperties().getDeliveryTag());
	}

	@Override
	public boolean isVoid() {
		return this.source.isVoid();
	}

	@Override
	public boolean hasFailed() {
		return this.failures.get() > 0 || this.isHeld;
	}

	@Override
	public String queue() {
		return String.valueOf(this.message.getMessageProperties().getConsumerQueue());
	}

	ShardChannel source() {
		return this.source;
	}

	Message message() {
		return this.message;
	}

	OrderingKeys orderingKeys() {
		return this.orderingKeys;
	}

}
