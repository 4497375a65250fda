package io.orderedoutbox.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
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

	private static final JsonMapper JSON = JsonMapper.shared();

	private final OutboxStatements statements;

	private final JdbcTemplate jdbc;

	private final JdbcTransactionManager transactions;

	private final TransactionStatus transaction;

	private final Duration lockTimeout;

	private int networkTimeout;

	private long connectionId;

	private List<Run> runs = List.of();

	private boolean moreIsWaiting;

	private JdbcClaim(OutboxDatabase database, Duration lockTimeout) {
		this.statements = database.statements();
		this.jdbc = database.jdbc();
		this.lockTimeout = lockTimeout;
		this.transactions = new JdbcTransactionManager(database.dataSource());
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
		this.connectionId = connectionId();
		if (Boolean.TRUE.equals(this.jdbc.queryForObject("SELECT @@GLOBAL.read_only", Boolean.class))) {
			// What is sent could not be removed, and would be sent again and again
			throw new TransientDataAccessResourceException(
					"The database is read-only: a replica, or no longer the primary");
		}
	}

	Set<Long> lock(List<Long> heads, long limit) {
		return new HashSet<>(this.jdbc.queryForList(this.statements.lock, Long.class, heads.toString(), limit));
	}

	Set<Long> verify(List<Long> heads) {
		return new HashSet<>(this.jdbc.queryForList(this.statements.verify, Long.class, heads.toString()));
	}

	void load(List<Candidate> candidates, boolean moreIsWaiting) {
		List<Long> ids = candidates.stream().flatMap((run) -> run.rows().stream()).map(Row::id).toList();
		Map<Long, StoredMessage> messages = this.jdbc
			.query(this.statements.load, StoredMessageRowMapper.INSTANCE, ids.toString())
			.stream()
			.collect(Collectors.toMap(StoredMessage::id, Function.identity()));
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
		if (!published.isEmpty()) {
			this.jdbc.update(this.statements.delete, published.toString());
		}
		if (!failed.isEmpty()) {
			List<Map<String, Object>> rows = failed.stream()
				.map((message) -> Map.<String, Object>of("id", message.id(), "delay",
						message.retryIn().toNanos() / 1_000, "error", message.error()))
				.toList();
			this.jdbc.update(this.statements.fail, JSON.writeValueAsString(rows));
		}
		allowSilence();
		this.transactions.commit(this.transaction);
	}

	@Override
	public void close() {
		if (this.transaction.isCompleted()) {
			return;
		}
		try {
			allowSilence();
		}
		catch (RuntimeException ex) {
			logger.debug("The session of a lost claim could not be restored: the pool will notice", ex);
		}
		finally {
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
	 * Reads or writes a setting of a connection.
	 */
	@FunctionalInterface
	private interface ConnectionSetting {

		Integer apply(Connection connection) throws SQLException;

	}

}
