/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.util.List;
import java.util.function.Supplier;

import io.orderedoutbox.inbox.shard.ShardQueues;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.Assert;

/**
 * Brings dead letters of shards to their listener again. Each keeps its id, and they keep
 * the order in which they became dead letters. One replay of the dead letters of some
 * shards works at a time, of all instances.
 * <p>
 * Dead letters that others follow
 * ({@link ShardRetrySettings.Exhausted#DEAD_LETTER_SEQUENCE}) are processed here, by the
 * listener of this application: what fails again stays where it is, with all that follows
 * it. When the last one of a key was processed, the key goes on. Nothing overtakes.
 * <p>
 * All others are sent again to the queues that they came from, and not to other consumers
 * of the exchange. Each is removed when the broker has confirmed that it is in its queue
 * again; one whose confirmation is lost may be sent twice. What else their keys had has
 * gone on meanwhile: they come behind it.
 */
public final class DeadLetterReplay {

	private static final Logger logger = LoggerFactory.getLogger(DeadLetterReplay.class);

	private final OwnChannel channels;

	private final ShardDeadLetters deadLetters;

	private final Supplier<List<ShardListenerContainerFactory>> listeners;

	private final ReplayLock lock;

	/**
	 * Create a replay.
	 * @param connectionFactory connects to the broker
	 * @param listeners the container factories of the listeners of this application
	 */
	public DeadLetterReplay(ConnectionFactory connectionFactory,
			Supplier<List<ShardListenerContainerFactory>> listeners) {
		this.channels = new OwnChannel(connectionFactory);
		this.deadLetters = new ShardDeadLetters(connectionFactory);
		this.listeners = listeners;
		this.lock = new ReplayLock(this.channels);
	}

	/**
	 * Process all dead letters that others follow, or send all others again that are
	 * there now. Waits while another thread of this instance does. While another instance
	 * does, this one does nothing.
	 * <p>
	 * To be called outside of a transaction: the broker forgets what was processed, and a
	 * transaction of the caller could still take the effects back.
	 * @param shards whose dead letters they are
	 * @return how many were processed, or sent, also where it cannot be seen what is left
	 * @throws IllegalTransactionStateException if there is a transaction: then nothing
	 * was done
	 * @throws org.springframework.amqp.AmqpException if the broker fails, or does not
	 * take one: that one and those behind it stay where they are
	 * @throws org.springframework.dao.DataAccessException if the database fails that
	 * knows which ones follow: they stay where they are
	 * @throws org.springframework.transaction.TransactionException if it does not answer
	 * whether one was removed: then it may be processed once more
	 */
	public int run(ShardQueues shards) {
		try {
			return replay(shards, true).replayed();
		}
		catch (ReplayRunningException ex) {
			logger.atInfo().addKeyValue("shards", shards.name()).log("Nothing is replayed: {}", ex.getMessage());
			return 0;
		}
	}

	ReplayResult replay(ShardQueues shards, boolean waits) {
		requireNoTransaction();
		SequencedReplay replay = sequencedReplay(shards);
		ReplayResult result;
		try {
			result = this.lock.alone(shards, waits,
					() -> (replay != null) ? new ReplayResult(processAll(replay), replay.left()) : sendAll(shards));
		}
		catch (ReplayRunningException ex) {
			throw ex;
		}
		catch (RuntimeException | Error ex) {
			logger.atWarn()
				.addKeyValue("verb", "REPLAY")
				.addKeyValue("shards", shards.name())
				.addKeyValue("error", ex.toString())
				.log("Inbox REPLAY of the dead letters of '{}' has failed: some may be done, the others can be repeated",
						shards.name());
			throw ex;
		}
		logger.atInfo()
			.addKeyValue("verb", "REPLAY")
			.addKeyValue("shards", shards.name())
			.addKeyValue("affected", result.replayed())
			.log("Inbox REPLAY of the dead letters of '{}': {} message(s), {}", shards.name(), result.replayed(),
					(result.left() != null) ? result.left() + " left" : "it is not known how many are left");
		return result;
	}

	private int processAll(SequencedReplay replay) {
		int processed = 0;
		int last;
		do {
			last = this.channels.run(replay::run);
			processed += last;
		}
		while (last > 0);
		return processed;
	}

	private ReplayResult sendAll(ShardQueues shards) {
		UnsequencedReplay replay = new UnsequencedReplay(this.deadLetters, shards);
		return new ReplayResult(this.channels.run(replay::run), replay.left());
	}

	/**
	 * Remove a dead letter, so that those that follow it can be processed. Waits while
	 * another thread of this instance replays dead letters of these shards. To be called
	 * outside of a transaction, as {@link #run}.
	 * @param shards whose dead letter it is
	 * @param messageId its message id, or else what the log calls it
	 * @return whether it was there
	 * @throws IllegalTransactionStateException if there is a transaction: then nothing
	 * was done
	 * @throws ReplayRunningException if dead letters of these shards are replayed in
	 * another instance at the moment: then it may be in use
	 * @throws org.springframework.amqp.AmqpException if the broker fails, or lets not all
	 * dead letters be looked at: then this can be repeated
	 * @throws org.springframework.dao.DataAccessException if the database fails that
	 * knows which ones follow: then it may be removed from the queue alone, and this can
	 * be repeated
	 * @throws org.springframework.transaction.TransactionException the same, if the
	 * database does not answer whether it was removed
	 */
	public boolean discard(ShardQueues shards, String messageId) {
		return discard(shards, messageId, true);
	}

	boolean discard(ShardQueues shards, String messageId, boolean waits) {
		requireNoTransaction();
		DeadLetterSequences sequences = sequences(shards);
		int discarded = this.lock.alone(shards, waits, () -> this.deadLetters.remove(shards.deadLetters(), messageId)
				+ ((sequences != null) ? sequences.discard(shards.name(), messageId) : 0));
		boolean isDiscarded = discarded > 0;
		logger.atInfo()
			.addKeyValue("verb", "DISCARD")
			.addKeyValue("shards", shards.name())
			.addKeyValue("selection", messageId)
			.addKeyValue("affected", isDiscarded ? 1 : 0)
			.log("Inbox DISCARD of dead letter '{}' of '{}': {}", messageId, shards.name(),
					isDiscarded ? "it is removed" : "there was none");
		return isDiscarded;
	}

	/** Refuse a caller whose transaction all would belong to but the broker's part. */
	static void requireNoTransaction() {
		if (TransactionSynchronizationManager.isActualTransactionActive()) {
			throw new IllegalTransactionStateException(
					"Dead letters are replayed or discarded inside a transaction, whose rollback would lose them: the broker has forgotten them then. Do it outside of a transaction, or in a method with @Transactional(propagation = Propagation.NOT_SUPPORTED)");
		}
	}

	/** Refuse shards whose dead letters may belong to several listeners. */
	void requireOneListener(ShardQueues shards) {
		listener(shards);
	}

	/** Return whether others follow dead letters that no listener here could process. */
	boolean isForAnotherInstance(ShardQueues shards) {
		DeadLetterSequences sequences = sequences(shards);
		return sequences != null && listener(shards) == null && !sequences.keys(shards.name()).isEmpty();
	}

	// Null if no listener here has dead letters that others follow
	private @Nullable SequencedReplay sequencedReplay(ShardQueues shards) {
		ShardListenerContainer listener = listener(shards);
		DeadLetterSequences sequences = (listener != null) ? listener.failures().sequences() : null;
		return (listener != null && sequences != null) ? new SequencedReplay(listener, sequences, shards) : null;
	}

	private @Nullable ShardListenerContainer listener(ShardQueues shards) {
		List<ShardListenerContainer> running = this.listeners.get()
			.stream()
			.flatMap((factory) -> factory.listenersOf(shards).stream())
			.filter(ShardListenerContainer::isRunning)
			.toList();
		Assert.state(running.size() < 2,
				() -> "%d listeners share the queues of '%s', and a dead letter does not say which of them it belongs to. Let one listener have all of them"
					.formatted(running.size(), shards.name()));
		return running.isEmpty() ? null : running.get(0);
	}

	// Those of the listener, or else those that listeners of these shards would have here
	private @Nullable DeadLetterSequences sequences(ShardQueues shards) {
		ShardListenerContainer listener = listener(shards);
		return (listener != null) ? listener.failures().sequences()
				: ShardListenerContainerFactory.sequencesOf(this.listeners.get());
	}

}
