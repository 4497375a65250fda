package io.orderedoutbox.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import javax.sql.DataSource;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/**
 * A claim that is an open transaction on a connection of its own, bound to the thread of
 * the worker. Its row locks are the ownership; they end with the transaction, and with it
 * the connection of a process that dies.
 * <p>
 * A host that vanishes without closing its connection would hold its locks for as long as
 * the server waits for the next statement, eight hours by default. For the time of the
 * claim that wait is cut to the lock timeout, and a read from the server is given up
 * after the same time.
 */
final class JdbcClaim implements Claim {

	private static final Logger logger = LoggerFactory.getLogger(JdbcClaim.class);

	private final OutboxStatements statements;

	private final JdbcTemplate jdbc;

	private final DataSourceTransactionManager transactions;

	private final TransactionStatus transaction;

	private final Duration lockTimeout;

	private int networkTimeout;

	private long connectionId;

	private final Set<Long> failedBefore = new HashSet<>();

	private List<Run> runs = List.of();

	private boolean moreIsWaiting;

	private JdbcClaim(OutboxDatabase database, Duration lockTimeout) {
		this.statements = database.statements();
		this.jdbc = database.jdbc();
		this.lockTimeout = lockTimeout;
		this.transactions = new Transactions(database.dataSource());
		this.transactions.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
		DefaultTransactionDefinition definition = new DefaultTransactionDefinition();
		definition.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
		this.transaction = this.transactions.getTransaction(definition);
	}

	static JdbcClaim begin(OutboxDatabase database, Duration lockTimeout) {
		JdbcClaim claim = new JdbcClaim(database, lockTimeout);
		try {
			claim.limitSilence();
			return claim;
		}
		catch (RuntimeException | Error ex) {
			claim.close();
			throw ex;
		}
	}

	private void limitSilence() {
		this.networkTimeout = onConnection(Connection::getNetworkTimeout);
		setNetworkTimeout((int) this.lockTimeout.toMillis());
		this.jdbc.update("SET @outbox_wait_timeout = @@SESSION.wait_timeout, SESSION wait_timeout = ?",
				this.lockTimeout.toSeconds());
		this.jdbc.query("SELECT CONNECTION_ID() AS id, @@GLOBAL.read_only AS read_only", (row) -> {
			this.connectionId = row.getLong("id");
			if (row.getBoolean("read_only")) {
				// What is sent could not be removed, and would be sent again and again
				throw new TransientDataAccessResourceException(
						"The database is read-only: a replica, or no longer the primary");
			}
		});
	}

	Set<Long> lock(List<Long> heads, long limit) {
		return new HashSet<>(this.jdbc.queryForList(this.statements.lock, Long.class, heads.toString(), limit));
	}

	Set<Long> verify(List<Long> heads) {
		return new HashSet<>(this.jdbc.queryForList(this.statements.verify, Long.class, heads.toString()));
	}

	void load(List<Candidate> candidates, boolean moreIsWaiting) {
		List<Long> ids = candidates.stream().flatMap((run) -> run.rows().stream()).map(Row::id).toList();
		Map<Long, StoredMessage> messages = new HashMap<>();
		this.jdbc.query(this.statements.load, (row) -> {
			StoredMessage message = StoredMessageRowMapper.INSTANCE.mapRow(row, 0);
			messages.put(message.id(), message);
			if (row.getBoolean("failed")) {
				this.failedBefore.add(message.id());
			}
		}, ids.toString());
		List<Run> loaded = new ArrayList<>();
		for (Candidate run : candidates) {
			List<StoredMessage> content = run.rows()
				.stream()
				.map((row) -> messages.get(row.id()))
				.filter(Objects::nonNull)
				.toList();
			if (!content.isEmpty()) {
				loaded.add(new Run(content));
			}
		}
		this.runs = loaded;
		this.moreIsWaiting = moreIsWaiting;
	}

	@Override
	public List<Run> runs() {
		return this.runs;
	}

	@Override
	public boolean moreIsWaiting() {
		return this.moreIsWaiting;
	}

	@Override
	public boolean renew() {
		try {
			// A driver told to reconnect would answer on a connection that has no locks
			return connectionId() == this.connectionId;
		}
		catch (DataAccessException ex) {
			logger.debug("A claim was lost", ex);
			return false;
		}
	}

	@Override
	public void complete(Collection<Long> published, Collection<FailedMessage> failed) {
		new Settlement(this.jdbc, this.statements, this.failedBefore).write(published, failed);
		this.transactions.commit(this.transaction);
	}

	@Override
	public void close() {
		if (!this.transaction.isCompleted()) {
			rollBack();
		}
	}

	private void rollBack() {
		try {
			this.transactions.rollback(this.transaction);
		}
		catch (TransactionException ex) {
			logger.debug("A claim could not be rolled back: the database does it when the connection is gone", ex);
		}
	}

	private void allowSilence() {
		this.jdbc.update("SET SESSION wait_timeout = @outbox_wait_timeout");
		setNetworkTimeout(this.networkTimeout);
	}

	private long connectionId() {
		return Objects.requireNonNull(this.jdbc.queryForObject("SELECT CONNECTION_ID()", Long.class));
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
	 * Gives the session back its settings when the transaction is over, and not a moment
	 * before: a host that vanished in between would keep its locks for hours. (Not
	 * Spring's newer manager, which logs as an error that it cannot roll back what a
	 * commit has lost.)
	 */
	private final class Transactions extends DataSourceTransactionManager {

		private static final long serialVersionUID = 1L;

		Transactions(DataSource dataSource) {
			super(dataSource);
		}

		@Override
		protected void doCleanupAfterCompletion(Object transaction) {
			try {
				allowSilence();
			}
			catch (RuntimeException ex) {
				logger.debug("The session of a lost claim could not be restored: the pool will notice", ex);
			}
			finally {
				super.doCleanupAfterCompletion(transaction);
			}
		}

	}

	/**
	 * Reads or writes a setting of a connection.
	 */
	@FunctionalInterface
	private interface ConnectionSetting {

		Integer apply(Connection connection) throws SQLException;

	}

}
