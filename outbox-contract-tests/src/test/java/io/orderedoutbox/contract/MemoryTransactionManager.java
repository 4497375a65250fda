/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.contract;

import java.util.concurrent.atomic.AtomicBoolean;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/**
 * Transactions of a thread that consist of what was registered with them.
 */
final class MemoryTransactionManager extends AbstractPlatformTransactionManager {

	private static final long serialVersionUID = 1L;

	private static final ThreadLocal<AtomicBoolean> CURRENT = ThreadLocal.withInitial(AtomicBoolean::new);

	@Override
	protected Object doGetTransaction() {
		return CURRENT.get();
	}

	@Override
	protected boolean isExistingTransaction(Object transaction) {
		return CURRENT.get().get();
	}

	@Override
	protected void doBegin(Object transaction, TransactionDefinition definition) {
		CURRENT.get().set(true);
	}

	@Override
	protected Object doSuspend(Object transaction) {
		CURRENT.get().set(false);
		return true;
	}

	@Override
	protected void doResume(Object transaction, Object suspended) {
		CURRENT.get().set(true);
	}

	@Override
	protected void doCommit(DefaultTransactionStatus status) {
		// What was registered happens after this
	}

	@Override
	protected void doRollback(DefaultTransactionStatus status) {
		// What was registered does not happen
	}

	@Override
	protected void doCleanupAfterCompletion(Object transaction) {
		CURRENT.get().set(false);
	}

}
