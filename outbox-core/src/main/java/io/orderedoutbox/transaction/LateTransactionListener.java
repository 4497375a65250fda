/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.transaction;

import java.util.Collections;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.util.ConcurrentReferenceHashMap;
import org.springframework.util.ConcurrentReferenceHashMap.ReferenceType;

/**
 * Lets an outbox follow the transactions of the application before it is made. The outbox
 * is made at the first of them, if that was not done before: not together with the
 * transaction manager, since it needs beans that may need that.
 * <p>
 * A transaction that was followed when it began is followed to its end, also if the
 * context of the outbox is closed before.
 */
public final class LateTransactionListener implements TransactionExecutionListener {

	private final Supplier<? extends @Nullable TransactionExecutionListener> outbox;

	// Spring tells of no end after a TransactionException of a callback
	private final Set<TransactionExecution> open = Collections
		.newSetFromMap(new ConcurrentReferenceHashMap<>(16, ReferenceType.WEAK));

	private volatile @Nullable TransactionExecutionListener known;

	private volatile @Nullable Runnable leaving;

	/**
	 * Create a listener.
	 * @param outbox what follows the transactions of the outbox; {@code null} while it
	 * cannot be made, whose transactions are not followed
	 */
	public LateTransactionListener(Supplier<? extends @Nullable TransactionExecutionListener> outbox) {
		this.outbox = outbox;
	}

	/**
	 * Find the outbox if it is not known yet.
	 * @return what follows its transactions, or {@code null} while it cannot be made
	 */
	public @Nullable TransactionExecutionListener find() {
		TransactionExecutionListener listener = this.known;
		if (listener == null) {
			listener = this.outbox.get();
			if (listener != null) {
				this.known = listener;
			}
		}
		return listener;
	}

	/**
	 * Follow no transaction that begins from now on.
	 * @param left called when there are no others any more, by the thread that has ended
	 * the last of them; perhaps several times
	 */
	public void leave(Runnable left) {
		this.leaving = left;
		leaveIfDone();
	}

	private void leaveIfDone() {
		Runnable left = this.leaving;
		if (left != null && this.open.isEmpty()) {
			left.run();
		}
	}

	private void end(TransactionExecution transaction) {
		if (this.open.remove(transaction)) {
			leaveIfDone();
		}
	}

	@Override
	public void beforeBegin(TransactionExecution transaction) {
		TransactionExecutionListener listener = find();
		if (listener != null) {
			listener.beforeBegin(transaction);
		}
	}

	@Override
	public void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
		TransactionExecutionListener listener = this.known;
		if (listener == null) {
			return;
		}
		// First it is there, and then it is asked: one that leaves does it the other way
		this.open.add(transaction);
		if (this.leaving != null) {
			end(transaction);
			return;
		}
		listener.afterBegin(transaction, beginFailure);
		if (beginFailure != null) {
			end(transaction);
		}
	}

	@Override
	public void beforeCommit(TransactionExecution transaction) {
		TransactionExecutionListener listener = this.known;
		if (listener != null) {
			listener.beforeCommit(transaction);
		}
	}

	@Override
	public void afterCommit(TransactionExecution transaction, @Nullable Throwable commitFailure) {
		TransactionExecutionListener listener = this.known;
		if (listener != null) {
			listener.afterCommit(transaction, commitFailure);
		}
		end(transaction);
	}

	@Override
	public void beforeRollback(TransactionExecution transaction) {
		TransactionExecutionListener listener = this.known;
		if (listener != null) {
			listener.beforeRollback(transaction);
		}
	}

	@Override
	public void afterRollback(TransactionExecution transaction, @Nullable Throwable rollbackFailure) {
		TransactionExecutionListener listener = this.known;
		if (listener != null) {
			listener.afterRollback(transaction, rollbackFailure);
		}
		end(transaction);
	}

}
