/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Lets an outbox with a name follow the transactions of the application. The outbox is
 * made at the first of them, if that was not done before: not together with the
 * transaction manager, since it needs beans that may need that.
 */
final class NamedTransactionListener implements TransactionExecutionListener {

	private final ConfigurableBeanFactory beans;

	private final String bean;

	private volatile @Nullable TransactionExecutionListener known;

	NamedTransactionListener(ConfigurableBeanFactory beans, String bean) {
		this.beans = beans;
		this.bean = bean;
	}

	// A transaction of what the outbox is being made of cannot publish to it
	private @Nullable TransactionExecutionListener listener() {
		TransactionExecutionListener listener = this.known;
		if (listener == null && !this.beans.isCurrentlyInCreation(this.bean)) {
			listener = this.beans.getBean(this.bean, NamedOutbox.class).transactions();
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
