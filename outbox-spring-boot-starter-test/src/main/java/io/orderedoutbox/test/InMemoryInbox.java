/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.util.HashSet;
import java.util.Set;

import io.orderedoutbox.inbox.Inbox;
import io.orderedoutbox.inbox.JdbcInbox;

import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * {@link Inbox} in memory, for tests without a database. It refuses the names and ids
 * that {@link JdbcInbox} refuses. What a transaction has processed is forgotten if the
 * transaction is rolled back.
 */
final class InMemoryInbox implements Inbox {

	private final Set<Processed> processed = new HashSet<>();

	private final PlatformTransactionManager transactions;

	InMemoryInbox(PlatformTransactionManager transactions) {
		this.transactions = transactions;
	}

	@Override
	public <E extends Throwable> boolean process(String consumer, String messageId, Work<E> work) throws E {
		JdbcInbox.requireValid(consumer, messageId);
		TransactionStatus transaction = this.transactions.getTransaction(TransactionDefinition.withDefaults());
		boolean isFirst;
		try {
			isFirst = isFirst(new Processed(consumer, messageId));
			if (isFirst) {
				work.run();
			}
		}
		catch (Throwable ex) {
			this.transactions.rollback(transaction);
			throw ex;
		}
		this.transactions.commit(transaction);
		return isFirst;
	}

	private synchronized boolean isFirst(Processed message) {
		boolean isFirst = this.processed.add(message);
		if (isFirst) {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCompletion(int status) {
					if (status != STATUS_COMMITTED) {
						forget(message);
					}
				}

			});
		}
		return isFirst;
	}

	private synchronized void forget(Processed message) {
		this.processed.remove(message);
	}

	synchronized void clear() {
		this.processed.clear();
	}

	private record Processed(String consumer, String messageId) {

	}

}
