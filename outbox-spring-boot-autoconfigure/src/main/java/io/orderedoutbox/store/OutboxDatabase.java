package io.orderedoutbox.store;

import java.sql.Connection;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;

import javax.sql.DataSource;

import io.orderedoutbox.OutboxConfigurationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.Assert;

/**
 * The database of the outbox: its data source, what it speaks, and the statements for it.
 * Nothing connects before it must, so that an application can start while its database is
 * away.
 */
public final class OutboxDatabase {

	private static final Logger logger = LoggerFactory.getLogger(OutboxDatabase.class);

	// Long enough for a name, and with the longest table suffix under MySQL's 64
	// characters
	private static final Pattern PREFIX = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,39}");

	private final DataSource dataSource;

	private final JdbcTemplate jdbc;

	private final TransactionTemplate readCommitted;

	private final String tablePrefix;

	private volatile @Nullable OutboxStatements statements;

	/**
	 * Create a database.
	 * @param dataSource its data source
	 * @param tablePrefix what the names of the tables begin with
	 */
	public OutboxDatabase(DataSource dataSource, String tablePrefix) {
		Assert
			.isTrue(PREFIX.matcher(tablePrefix).matches(),
					() -> ("'outbox.jdbc.table-prefix' must be a letter "
							+ "followed by at most 39 letters, digits or underscores, but is '%s'")
						.formatted(tablePrefix));
		this.dataSource = target(dataSource);
		this.jdbc = new JdbcTemplate(this.dataSource);
		this.readCommitted = new TransactionTemplate(new JdbcTransactionManager(this.dataSource));
		this.readCommitted.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
		this.tablePrefix = tablePrefix;
	}

	/**
	 * Check that every table, column, index and stripe is there, and warn of settings
	 * with which a crash of the server can lose what it has committed.
	 * @throws org.springframework.dao.DataAccessException if something is missing
	 */
	void verify() {
		OutboxStatements known = statements();
		this.jdbc.query(known.load, (rs) -> {
		}, "[]");
		this.jdbc.query(known.lookForKeyless, (rs) -> {
		}, Long.MAX_VALUE, 1);
		Integer stripes = this.jdbc.queryForObject(known.countStripes, Integer.class);
		if (stripes == null || stripes != Stripes.COUNT) {
			throw new OutboxConfigurationException(
					"Table '%sstripe' has %s rows instead of %d.".formatted(this.tablePrefix, stripes, Stripes.COUNT),
					"Insert the missing ids from 0 to %d: without them no order can be kept."
						.formatted(Stripes.COUNT - 1));
		}
		Boolean durable = this.jdbc.queryForObject(known.isDurable, Boolean.class);
		if (!Boolean.TRUE.equals(durable)) {
			logger.warn("The database is not set up to survive a crash: after one it can have forgotten commits whose "
					+ "messages were already relayed. Set innodb_flush_log_at_trx_commit=1, and with a binary log "
					+ "sync_binlog=1");
		}
	}

	/**
	 * Return the data source under which a transaction binds its connection.
	 * @return the data source, without a transaction-aware proxy around it
	 */
	public DataSource dataSource() {
		return this.dataSource;
	}

	JdbcTemplate jdbc() {
		return this.jdbc;
	}

	String tablePrefix() {
		return this.tablePrefix;
	}

	private static DataSource target(DataSource dataSource) {
		DataSource target = (dataSource instanceof TransactionAwareDataSourceProxy proxy) ? proxy.getTargetDataSource()
				: null;
		return (target != null) ? target : dataSource;
	}

	/**
	 * Read without locks, whatever the pool gives its connections: without auto-commit
	 * and at SERIALIZABLE a plain SELECT would lock what it reads.
	 */
	<T> T read(Function<JdbcTemplate, T> query) {
		boolean inTransaction = TransactionSynchronizationManager.hasResource(this.dataSource);
		if (inTransaction || Boolean.TRUE.equals(this.jdbc.execute(Connection::getAutoCommit))) {
			return query.apply(this.jdbc);
		}
		return Objects.requireNonNull(this.readCommitted.execute((status) -> query.apply(this.jdbc)));
	}

	OutboxStatements statements() {
		OutboxStatements known = this.statements;
		if (known == null) {
			String version = this.jdbc.queryForObject("SELECT VERSION()", String.class);
			known = new OutboxStatements(Dialect.of(String.valueOf(version)), this.tablePrefix);
			this.statements = known;
		}
		return known;
	}

}
