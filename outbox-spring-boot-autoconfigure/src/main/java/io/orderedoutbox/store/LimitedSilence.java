package io.orderedoutbox.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;

import javax.sql.DataSource;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;

/**
 * Manages one transaction at a time, at READ COMMITTED, whose locks do not outlive its
 * host.
 * <p>
 * A host that vanishes without closing its connection would hold its locks for as long as
 * the server waits for the next statement, eight hours by default. For the time of the
 * transaction that wait is limited, and a read from the server is given up after the same
 * time. The session gets its settings back when the transaction is over, and not a moment
 * before: the host may vanish just before the commit.
 * <p>
 * The isolation goes with it in the same two statements. Left to JDBC it takes up to
 * three of its own, a quarter of all round trips of a batch of one message. What cannot
 * be given back its settings is closed: neither driver nor pool knows of them.
 * <p>
 * (Not Spring's newer manager, which logs as an error that it cannot roll back what a
 * commit has lost.)
 */
final class LimitedSilence extends DataSourceTransactionManager {

	private static final long serialVersionUID = 1L;

	private static final Logger log = LoggerFactory.getLogger(LimitedSilence.class);

	private final transient JdbcTemplate jdbc;

	private final Dialect dialect;

	private final Duration limit;

	private int networkTimeout;

	/**
	 * Create a manager.
	 * @param dataSource under which the transaction binds its connection
	 * @param dialect what its database speaks
	 * @param limit how long a statement, and the pause before the next, may take; from a
	 * second up
	 */
	LimitedSilence(DataSource dataSource, Dialect dialect, Duration limit) {
		super(dataSource);
		this.jdbc = new JdbcTemplate(dataSource);
		this.dialect = dialect;
		this.limit = limit;
		setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
	}

	@Override
	protected void doBegin(Object transaction, TransactionDefinition definition) {
		super.doBegin(transaction, definition);
		try {
			this.networkTimeout = onConnection(Connection::getNetworkTimeout);
			setNetworkTimeout((int) this.limit.toMillis());
			this.jdbc.update(this.dialect.limitSession(), this.limit.toSeconds());
		}
		catch (RuntimeException | Error ex) {
			doCleanupAfterCompletion(transaction);
			throw ex;
		}
	}

	@Override
	protected void doCleanupAfterCompletion(Object transaction) {
		try {
			this.jdbc.update(this.dialect.restoreSession());
			setNetworkTimeout(this.networkTimeout);
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
			super.doCleanupAfterCompletion(transaction);
		}
	}

	// Otherwise the application would go on with our settings, and the next claim would
	// keep them as the application's own
	private void abort() {
		try {
			onConnection((connection) -> {
				connection.abort(Runnable::run);
				return 0;
			});
		}
		catch (RuntimeException ex) {
			log.atWarn()
				.setCause(ex)
				.addKeyValue("error", ex.toString())
				.log("A connection could not be closed: it may go back to its pool with the settings of a claim");
		}
	}

	private void setNetworkTimeout(int millis) {
		onConnection((connection) -> {
			connection.setNetworkTimeout(Runnable::run, millis);
			return millis;
		});
	}

	private int onConnection(ConnectionSetting setting) {
		return Objects.requireNonNull(this.jdbc.execute(setting::apply));
	}

	/**
	 * Reads or writes a setting of a connection.
	 */
	@FunctionalInterface
	private interface ConnectionSetting {

		Integer apply(Connection connection) throws SQLException;

	}

}
