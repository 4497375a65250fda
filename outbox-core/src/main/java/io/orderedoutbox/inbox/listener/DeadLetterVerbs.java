/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.util.function.Supplier;

import io.orderedoutbox.inbox.shard.ShardQueues;

import org.springframework.amqp.AmqpException;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;
import org.springframework.util.Assert;

/**
 * What an operator does with dead letters: a {@link DeadLetterReplay}, who does not wait
 * while another one works, and is told why nothing was done.
 */
public final class DeadLetterVerbs {

	private final DeadLetterReplay replay;

	private final DeadLetterJournal journal;

	/**
	 * Create them.
	 * @param replay does it
	 * @param journal keeps what was done
	 */
	public DeadLetterVerbs(DeadLetterReplay replay, DeadLetterJournal journal) {
		this.replay = replay;
		this.journal = journal;
	}

	/**
	 * Process all dead letters that others follow, or send all others again that are
	 * there now.
	 * @param shards whose dead letters they are
	 * @return what was done
	 * @throws ReplayRunningException if dead letters of these shards are replayed or
	 * removed at the moment, by another thread or instance
	 * @throws IllegalStateException if others follow them, and no listener in this
	 * instance could process them; or if one does not say where it came from
	 * @throws org.springframework.transaction.IllegalTransactionStateException if the
	 * caller is in a transaction, which could take back what the broker has forgotten
	 * @throws ReplayFailedException if the broker or the database fails
	 */
	public ReplayResult replay(ShardQueues shards) {
		DeadLetterReplay.requireNoTransaction();
		boolean isForAnother = told(() -> this.replay.isForAnotherInstance(shards));
		Assert.state(!isForAnother,
				() -> "Other messages follow the dead letters of '%s', and no listener in this instance consumes its queues. Replay them in an instance that has one"
					.formatted(shards.name()));
		return recorded("REPLAY", "dead letters of the shards '%s'".formatted(shards.name()),
				() -> this.replay.replay(shards, false));
	}

	/**
	 * Remove a dead letter, so that those that follow it can be processed.
	 * @param shards whose dead letter it is
	 * @param messageId its message id, or else what the log calls it
	 * @return whether it was there
	 * @throws ReplayRunningException if dead letters of these shards are replayed or
	 * removed at the moment, by another thread or instance
	 * @throws org.springframework.transaction.IllegalTransactionStateException if the
	 * caller is in a transaction
	 * @throws ReplayFailedException if the broker or the database fails: then it may be
	 * removed from the queue alone, and this can be repeated
	 */
	public boolean discard(ShardQueues shards, String messageId) {
		DeadLetterReplay.requireNoTransaction();
		this.replay.requireOneListener(shards);
		return recorded("DISCARD", "dead letter '%s' of the shards '%s'".formatted(messageId, shards.name()),
				() -> new ReplayResult(this.replay.discard(shards, messageId, false) ? 1 : 0, 0))
			.replayed() > 0;
	}

	private ReplayResult recorded(String verb, String selection, Supplier<ReplayResult> work) {
		ReplayResult result;
		try {
			result = told(work);
		}
		catch (ReplayRunningException ex) {
			throw ex; // nothing was done
		}
		catch (RuntimeException ex) {
			this.journal.record(verb, selection, new ReplayResult(0, 0), ex.toString());
			throw ex;
		}
		this.journal.record(verb, selection, result, null);
		return result;
	}

	private static <T> T told(Supplier<T> work) {
		try {
			return work.get();
		}
		catch (AmqpException ex) {
			throw new ReplayFailedException("The broker", ex);
		}
		catch (DataAccessException | TransactionException ex) {
			throw new ReplayFailedException("The database", ex);
		}
	}

}
