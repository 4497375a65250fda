/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Does something when the current transaction has committed, before listeners of the
 * application do: they may look for what was committed.
 *
 * @param work what to do
 */
record AfterCommit(Runnable work) implements TransactionSynchronization {

	/**
	 * Do something when the current transaction has committed.
	 * @param work what to do
	 */
	static void run(Runnable work) {
		TransactionSynchronizationManager.registerSynchronization(new AfterCommit(work));
	}

	@Override
	public void afterCommit() {
		this.work.run();
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

}
