/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.time.Duration;
import java.util.function.Function;

import io.orderedoutbox.jdbc.connection.LimitedSession;
import io.orderedoutbox.jdbc.connection.ServerTimeout;
import io.orderedoutbox.jdbc.dialect.Dialect;
import io.orderedoutbox.transaction.WorkInTransaction;

import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/**
 * Transactions at READ COMMITTED that have nothing to do with the one that the caller may
 * be in.
 * <p>
 * They are bound to the thread under a data source of their own. Under the original one a
 * JPA transaction leaves its connection without saying that it is in a transaction, and
 * PROPAGATION_REQUIRES_NEW would take that connection and commit it.
 */
public final class OwnTransactions {

	// Longer than MySQL waits for a lock
	private static final Duration LONGEST_SILENCE = Duration.ofSeconds(60);

	private final OutboxDatabase database;

	private final Duration patience;

	/**
	 * Transactions that may take long.
	 */
	public OwnTransactions(OutboxDatabase database) {
		this(database, LONGEST_SILENCE);
	}

	/**
	 * Transactions.
	 * @param patience for how long a server that says nothing is waited for
	 */
	public OwnTransactions(OutboxDatabase database, Duration patience) {
		this.database = database.apart();
		this.patience = patience;
	}

	/**
	 * Do something, and commit it or undo it.
	 */
	public <T> T run(boolean commit, Function<JdbcTemplate, T> work) {
		Dialect dialect = this.database.dialect();
		return WorkInTransaction.of(new OutOfSight(), TransactionDefinition.withDefaults(),
				(status) -> runAlone(dialect, commit, work));
	}

	private <T> T runAlone(Dialect dialect, boolean commit, Function<JdbcTemplate, T> work) {
		try (LimitedSession session = LimitedSession.open(this.database.dataSource(), dialect, this.patience)) {
			return WorkInTransaction.of(session.transactions(), TransactionDefinition.withDefaults(), (status) -> {
				if (!commit) {
					status.setRollbackOnly();
				}
				return work.apply(this.database.jdbc());
			});
		}
	}

	/**
	 * Read without locks.
	 * @throws QueryTimeoutException if the server has given the query up
	 */
	public <T> T read(Function<JdbcTemplate, T> query) {
		try {
			return run(true, query);
		}
		catch (UncategorizedSQLException ex) {
			throw ServerTimeout.translated(ex);
		}
	}

	/**
	 * Keeps the transaction of the caller out of sight: a data source may choose by it
	 * where a connection leads.
	 */
	private static final class OutOfSight extends AbstractPlatformTransactionManager {

		private static final long serialVersionUID = 1L;

		OutOfSight() {
			setTransactionSynchronization(SYNCHRONIZATION_NEVER);
		}

		@Override
		protected Object doGetTransaction() {
			return this;
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
			// There is nothing to begin but the suspension of the other
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
			// Nor to end
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
			// Nor to end
		}

	}

}
