/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

import io.orderedoutbox.inbox.message.MessageId;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.listener.ConditionalRejectingErrorHandler;
import org.springframework.amqp.listener.ContainerUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;
import org.springframework.util.ErrorHandler;
import org.springframework.util.backoff.BackOffExecution;

/**
 * Decides what becomes of messages that fail, and of those behind them.
 */
final class ShardFailures {

	private static final Logger logger = LoggerFactory.getLogger(ShardListenerContainerFactory.class);

	private static final Log SPRING = LogFactory.getLog(ShardListenerContainerFactory.class);

	private static final String BEHIND = "It is behind a dead letter";

	private static final String REASON_LOST = "It was given up before, by a consumer that was lost before it had sent it here";

	private final ShardRetrySettings settings;

	private final @Nullable DeadLetterSequences sequences;

	private final Supplier<ShardDeadLetters> deadLetters;

	private final ShardRetryCounts counts = new ShardRetryCounts();

	ShardFailures(ShardRetrySettings settings, @Nullable DeadLetterSequences sequences,
			Supplier<ShardDeadLetters> deadLetters) {
		this.settings = settings;
		this.sequences = sequences;
		this.deadLetters = deadLetters;
	}

	/**
	 * Return what says whether a failure can be mended, unless the application says
	 * otherwise. That of Spring lets a message that cannot be converted vanish if a queue
	 * has dead-lettered it before.
	 */
	static ErrorHandler errorHandler() {
		ConditionalRejectingErrorHandler handler = new ConditionalRejectingErrorHandler();
		handler.setDiscardFatalsWithXDeath(false);
		return handler;
	}

	BackOffExecution backOff() {
		return this.settings.backOff();
	}

	void retried(String queue) {
		this.counts.retried(queue);
	}

	List<QueueRetries> with(List<List<KeyDispatcher.Work>> held) {
		return this.counts.with(held);
	}

	/** Return what the consumer of a queue knows, before its first message. */
	ParkedKeys parkedKeys(String queue) {
		return new ParkedKeys(this.sequences, ShardDeadLetters.shardsOf(queue));
	}

	/** Return the table of dead letters that others follow, null if none do. */
	@Nullable DeadLetterSequences sequences() {
		return this.sequences;
	}

	/**
	 * Make a dead letter of a message, if there is one before it in its order.
	 * @return whether it is one now
	 * @throws AmqpException if the broker has not taken it
	 * @throws DataAccessException if the database does not say
	 */
	boolean follows(ShardDelivery delivery) {
		ParkedKeys parked = delivery.source().parkedKeys();
		Supplier<String> idToStore = () -> idOf(delivery.message());
		if (delivery.orderingKeys().oldestFirst().stream().noneMatch((key) -> parked.addIfParked(key, idToStore))) {
			return false;
		}
		String id = idToStore.get();
		boolean isFirst = delivery.orderingKeys().oldestFirst().stream().anyMatch((key) -> parked.isFirst(key, id));
		this.deadLetters.get().add(delivery.message(), isFirst ? REASON_LOST : BEHIND);
		this.counts.deadLettered(delivery.queue());
		if (isFirst) {
			logger.atError()
				.addKeyValue("error", REASON_LOST)
				.log("Message '{}' of queue '{}' is a dead letter: {}", id, delivery.queue(), REASON_LOST);
		}
		else {
			logger.debug("Message '{}' of queue '{}' follows a dead letter", id, delivery.queue());
		}
		return true;
	}

	/** Tell that a message waits until it is known whether it follows a dead letter. */
	void cannotFollow(ShardDelivery delivery, RuntimeException failure) {
		String error = ShardDeadLetters.reason(failure);
		logger.atWarn()
			.addKeyValue("error", error)
			.log("Message '{}' of queue '{}' waits, because what is before it is a dead letter, or is not known: {}",
					idOf(delivery.message()), delivery.queue(), error);
	}

	/** Return whether a message has failed too often, or for good. */
	boolean isGivenUp(Throwable failure, int failures) {
		boolean isHopeless = !ContainerUtils.shouldRequeue(true, failure, SPRING);
		return isHopeless || this.settings.isDeadLetterAfter(failures);
	}

	/**
	 * Make a dead letter of a message.
	 * @return whether it is one now
	 */
	boolean becomesDeadLetter(ShardDelivery delivery, Throwable failure, int failures) {
		String id = idOf(delivery.message());
		String reason = ShardDeadLetters.reason(failure);
		try {
			delivery.source().parkedKeys().add(delivery.orderingKeys().own(), id);
			this.deadLetters.get().add(delivery.message(), reason);
		}
		catch (AmqpException | DataAccessException | TransactionException ex) {
			logger.atError()
				.setCause(ex)
				.addKeyValue("error", ShardDeadLetters.reason(ex))
				.log("Message '{}' of queue '{}' could not become a dead letter, which is tried again: {}", id,
						delivery.queue(), ShardDeadLetters.reason(ex));
			return false;
		}
		this.counts.deadLettered(delivery.queue());
		logger.atError()
			.addKeyValue("error", reason)
			.addKeyValue("failed_attempts", failures)
			.log("Message '{}' of queue '{}' is a dead letter after {} attempt(s): {}", id, delivery.queue(), failures,
					reason);
		return true;
	}

	/**
	 * What tells a message from others. One without an id, also that of a CloudEvent, is
	 * told by its body and its key, whatever the order of the listener is.
	 */
	static String idOf(Message message) {
		String id = idOrNull(message);
		if (id != null) {
			return id;
		}
		String key = OrderingKeys.of(message.getMessageProperties(), ShardListenerSettings.Order.PARTITION_KEY).own();
		return "body %s, key %s".formatted(UUID.nameUUIDFromBytes(message.getBody()),
				UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8)));
	}

	private static @Nullable String idOrNull(Message message) {
		try {
			return MessageId.of(message);
		}
		// Formats throw what they like
		catch (RuntimeException ex) {
			logger.debug("Only the body could say the id, and cannot be read", ex);
			return null;
		}
	}

}
