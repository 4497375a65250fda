/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.transaction;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Lets an outbox follow the transactions of the application before it is made. The outbox
 * is made at the first of them, if that was not done before: not together with the
 * transaction manager, since it needs beans that may need that.
 */
public final class LateTransactionListener implements TransactionExecutionListener {

	private final Supplier<? extends @Nullable TransactionExecutionListener> outbox;

	private volatile @Nullable TransactionExecutionListener known;

	/**
	 * Create a listener.
	 * @param outbox what follows the transactions of the outbox; {@code null} while it
	 * cannot be made, whose transactions are not followed
	 */
	public LateTransactionListener(Supplier<? extends @Nullable TransactionExecutionListener> outbox) {
		this.outbox = outbox;
	}

	private @Nullable TransactionExecutionListener listener() {
		TransactionExecutionListener listener = this.known;
		if (listener == null) {
			listener = this.outbox.get();
			this.known = listener;
		}
		return listener;
	}

	@Override
	public void beforeBegin(TransactionExecution transaction) {
		TransactionExecutionListener listener = listener();
		if (listener != null) {
			listener.beforeBegin(transaction);
		}
	}

	@Override
	public void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
		TransactionExecutionListener listener = this.known;
		if (listener != null) {
			listener.afterBegin(transaction, beginFailure);
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
	}

}
