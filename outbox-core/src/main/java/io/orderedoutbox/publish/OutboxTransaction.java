/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.orderedoutbox.Correlation;
import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.OutboxStoreException;
import io.orderedoutbox.payload.CommitPhase;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.OutboxStore;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.Assert;

/**
 * The messages that one transaction has published so far. Bound to the transaction's
 * thread, and unbound while the transaction is suspended.
 */
final class OutboxTransaction implements TransactionSynchronization, CommitPhase {

	private final Object key;

	private final TransactionExecution execution;

	private final OutboxStore store;

	// Not written yet
	private final List<Message> messages = new ArrayList<>();

	// Savepoint -> how many messages were there when it was made
	private final IdentityHashMap<Object, Integer> savepoints = new IdentityHashMap<>();

	private final Runnable rollback;

	private final Consumer<Set<Integer>> committed;

	private final Set<Integer> partitions = new HashSet<>();

	private @Nullable RuntimeException unmarked;

	private boolean commitHasBegun;

	private boolean written;

	private @Nullable Correlation correlation;

	private @Nullable LastFlush lastFlush;

	private boolean closed;

	/**
	 * Create a transaction without messages.
	 * @param key what it is bound under
	 * @param execution the transaction
	 * @param store where its messages are written
	 * @param rollback rolls back what the transaction has written, and can be repeated
	 * @param committed is told of the partitions to which messages were committed
	 */
	OutboxTransaction(Object key, TransactionExecution execution, OutboxStore store, Runnable rollback,
			Consumer<Set<Integer>> committed) {
		this.key = key;
		this.execution = execution;
		this.store = store;
		this.rollback = rollback;
		this.committed = committed;
	}

	/**
	 * Add a message. It is written at once if what would write it later has passed.
	 */
	void add(Message message) {
		if (this.unmarked != null) {
			throw new OutboxStoreException(
					"The beginning of the transaction could not be marked when it began, and now nothing would tell if the database had ended it: "
							+ this.unmarked.getMessage(),
					this.unmarked);
		}
		this.messages.add(message);
		if (this.lastFlush != null && !this.lastFlush.isPending()) {
			write();
		}
	}

	/**
	 * Mark the beginning. If that fails, the first message fails: at this point Spring
	 * would leave a transaction open after an exception.
	 */
	void begin() {
		if (!this.execution.isReadOnly()) {
			try {
				this.store.mark();
			}
			catch (RuntimeException ex) {
				this.unmarked = ex;
			}
		}
	}

	/**
	 * Return what all messages of this transaction belong to.
	 * @param origin makes it, if this is the first to ask
	 */
	@Nullable Correlation correlation(Supplier<@Nullable Correlation> origin) {
		if (this.correlation == null) {
			this.correlation = origin.get();
		}
		return this.correlation;
	}

	/**
	 * Return whether this is the transaction of that execution itself, not one around or
	 * nested in it.
	 */
	boolean belongsTo(TransactionExecution other) {
		return this.execution == other;
	}

	/**
	 * Return the messages that were published and are not written yet.
	 */
	List<Message> messages() {
		return this.messages;
	}

	/**
	 * Write these messages.
	 */
	void write() {
		List<Message> batch = List.copyOf(this.messages);
		if (!batch.isEmpty()) {
			if (!this.written) {
				this.store.requireMark();
			}
			this.partitions.addAll(this.store.append(batch));
			this.written = true;
			this.messages.subList(0, batch.size()).clear();
		}
	}

	/**
	 * From now on messages come from a flush only, and at its end it calls
	 * {@link #write}.
	 */
	void await(LastFlush flush) {
		this.lastFlush = flush;
	}

	/**
	 * From now on no message can be added: it would never be written.
	 */
	void close() {
		this.closed = true;
	}

	void requireWritable(Class<?> eventType) {
		if (this.closed || (this.lastFlush != null && this.lastFlush.isTooLate())) {
			throw new OutboxPublicationException(
					"Event %s was published after its transaction had been committed or rolled back, for example from an after-commit callback: publish it in a transaction of its own (Propagation.REQUIRES_NEW)"
						.formatted(eventType.getName()));
		}
		if (this.execution.isReadOnly() || TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
			throw new OutboxPublicationException(
					"Event %s was published in a read-only transaction: remove readOnly = true"
						.formatted(eventType.getName()));
		}
	}

	@Override
	public void savepoint(Object savepoint) {
		this.savepoints.put(savepoint, this.messages.size());
	}

	@Override
	public void savepointRollback(Object savepoint) {
		// One that we did not see made is older than everything here
		int kept = this.savepoints.getOrDefault(savepoint, 0);
		if (kept < this.messages.size()) {
			this.messages.subList(kept, this.messages.size()).clear();
		}
	}

	@Override
	public void suspend() {
		TransactionSynchronizationManager.unbindResourceIfPossible(this.key);
	}

	@Override
	public void resume() {
		// The inner transaction is still there if a callback has kept it from its commit
		TransactionSynchronizationManager.unbindResourceIfPossible(this.key);
		TransactionSynchronizationManager.bindResource(this.key, this);
	}

	@Override
	public void beforeCommit(boolean readOnly) {
		this.commitHasBegun = true;
	}

	@Override
	public boolean hasBegun() {
		return this.commitHasBegun;
	}

	/**
	 * The first thing after the commit: listeners of the application may take their time.
	 */
	@Override
	public void afterCommit() {
		if (this.written) {
			this.committed.accept(this.partitions);
		}
		Assert.state(this.messages.isEmpty(),
				() -> "The transaction was committed without %d of its outbox messages: an exception that said so was swallowed"
					.formatted(this.messages.size()));
	}

	/**
	 * A transaction that ends here with messages, was never closed and waits for no flush
	 * has not come to its commit: a callback before it has failed. After a
	 * {@code TransactionException} of a callback Spring does not roll back, and giving
	 * back the connection would commit.
	 */
	@Override
	public void afterCompletion(int status) {
		boolean cutShort = !this.closed && this.lastFlush == null && !this.messages.isEmpty();
		close();
		if (cutShort) {
			this.rollback.run();
		}
	}

	/**
	 * First, so that others know of the commit, and find it closed when it has ended.
	 */
	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

}
