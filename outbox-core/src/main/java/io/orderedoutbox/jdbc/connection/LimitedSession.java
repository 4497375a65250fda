/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;

import javax.sql.DataSource;

import io.orderedoutbox.jdbc.dialect.Dialect;
import io.orderedoutbox.jdbc.dialect.SessionSettings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.Assert;

/**
 * A connection for transactions, one after the other, at READ COMMITTED, whose locks do
 * not outlive their host.
 * <p>
 * A host that vanishes without closing its connection would hold its locks for as long as
 * the server waits for the next statement, eight hours by default. In a session that wait
 * is limited, and a read from the server is given up after the same time. The connection
 * gets its settings back when the last transaction is over, and not a moment before: the
 * host may vanish just before the commit.
 * <p>
 * In the same two statements go the isolation, for which JDBC takes up to three of its
 * own for each transaction, and all else that the library relies on:
 * {@link SessionSettings}. What cannot be given back its settings is closed: neither
 * driver nor pool knows of them.
 * <p>
 * A session belongs to one thread. As long as the thread is in the session, all that the
 * thread does under the data source goes through this connection, which commits nothing
 * by itself.
 */
public final class LimitedSession implements AutoCloseable {

	private static final Logger log = LoggerFactory.getLogger(LimitedSession.class);

	// The server sets nothing for the next transaction while there is one
	private static final int IN_A_TRANSACTION = 1568;

	private final DataSource dataSource;

	private final Dialect dialect;

	private final ConnectionHolder connection;

	private final JdbcTemplate jdbc;

	private final PlatformTransactionManager transactions;

	private @Nullable SessionIdentity identity;

	private ConnectionSettings before = new ConnectionSettings(true, 0);

	private LimitedSession(DataSource dataSource, Dialect dialect, Connection connection) {
		this.dataSource = dataSource;
		this.dialect = dialect;
		this.connection = new ConnectionHolder(connection);
		this.jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
		this.transactions = new AllOrNothing(dataSource);
	}

	/**
	 * Begin a session, and enter it.
	 * @param dataSource under which the thread finds it
	 * @param dialect what its database speaks
	 * @param limit how long a statement, and the pause before the next, may take; from a
	 * second up
	 */
	public static LimitedSession open(DataSource dataSource, Dialect dialect, Duration limit) {
		Assert.state(!Connections.isBound(dataSource), "The thread is in a transaction or session already");
		LimitedSession session = new LimitedSession(dataSource, dialect, Connections.open(dataSource));
		try {
			session.limit(limit);
			session.enter();
			return session;
		}
		catch (RuntimeException | Error ex) {
			session.close();
			throw ex;
		}
	}

	private void limit(Duration limit) {
		this.before = Objects.requireNonNull(this.jdbc.execute(ConnectionSettings::of));
		this.jdbc.execute(new ConnectionSettings(false, (int) limit.toMillis())::applyTo);
		this.jdbc.execute((Connection connection) -> {
			this.dialect.session().applyTo(connection, limit.toSeconds());
			return true;
		});
	}

	/**
	 * What manages its transactions, for a thread that is in it.
	 */
	public PlatformTransactionManager transactions() {
		return this.transactions;
	}

	/**
	 * Have the thread do all that follows in it, if it does not yet.
	 */
	public void enter() {
		if (!isEntered()) {
			TransactionSynchronizationManager.bindResource(this.dataSource, this.connection);
		}
	}

	/**
	 * Have the thread do nothing more in it, if it still does.
	 */
	public void leave() {
		if (isEntered()) {
			TransactionSynchronizationManager.unbindResource(this.dataSource);
		}
	}

	/**
	 * Make sure that it is still the same. A driver told to reconnect would go on with a
	 * connection that has other settings.
	 */
	public void require(SessionIdentity identity) {
		if (this.identity != null && !this.identity.equals(identity)) {
			throw new TransientDataAccessResourceException(
					"The connection was lost, and the driver has replaced it. It must not: see autoReconnect, or loadbalance, in its URL");
		}
		this.identity = identity;
	}

	/**
	 * Whether its transaction is still there. Some errors of a statement have undone all
	 * of it, and most have undone the statement alone.
	 */
	public boolean hasTransaction() {
		try {
			this.jdbc.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
			return false;
		}
		catch (DataAccessException ex) {
			return ex.getMostSpecificCause() instanceof SQLException cause && cause.getErrorCode() == IN_A_TRANSACTION;
		}
	}

	private boolean isEntered() {
		return TransactionSynchronizationManager.getResource(this.dataSource) == this.connection;
	}

	@Override
	public void close() {
		leave();
		try {
			if (!this.before.autoCommit() || !this.dialect.undoesStatementsAlone()) {
				rollBack();
			}
			this.jdbc.execute((Connection connection) -> {
				this.dialect.session().restoreTo(connection);
				return this.before.applyTo(connection);
			});
		}
		catch (RuntimeException ex) {
			log.debug("The session of a transaction could not be restored: its connection is given up", ex);
			abort();
		}
		catch (Error ex) {
			abort();
			throw ex;
		}
		finally {
			DataSourceUtils.releaseConnection(this.connection.getConnection(), this.dataSource);
		}
	}

	/**
	 * Give the connection up. Otherwise the application would go on with our settings,
	 * and the next session would keep them as the application's own.
	 */
	private void abort() {
		try {
			this.dialect.abort(this.connection.getConnection());
		}
		catch (SQLException | RuntimeException ex) {
			log.atWarn()
				.setCause(ex)
				.addKeyValue("error", ex.toString())
				.log("A connection could not be closed: it may go back to its pool with the settings of a claim");
		}
	}

	// A look that found nothing has begun a transaction, and not every pool ends it
	private void rollBack() {
		this.jdbc.execute((Connection connection) -> {
			connection.rollback();
			return true;
		});
	}

	/**
	 * Manages its transactions. One whose end is unknown must not be committed by giving
	 * the connection its settings back.
	 * <p>
	 * (Not Spring's newer manager, which logs as an error that it cannot roll back what a
	 * commit has lost.)
	 */
	private final class AllOrNothing extends DataSourceTransactionManager {

		private static final long serialVersionUID = 1L;

		AllOrNothing(DataSource dataSource) {
			super(dataSource);
			setTransactionSynchronization(SYNCHRONIZATION_NEVER);
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
			end(() -> super.doCommit(status));
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
			end(() -> super.doRollback(status));
		}

		private void end(Runnable end) {
			try {
				end.run();
			}
			catch (RuntimeException | Error ex) {
				abort();
				throw ex;
			}
		}

	}

}
