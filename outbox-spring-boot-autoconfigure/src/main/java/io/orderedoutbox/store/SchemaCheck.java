package io.orderedoutbox.store;

import java.sql.Connection;
import java.sql.SQLException;

import io.orderedoutbox.OutboxConfigurationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Checks that every table, column, index and stripe is there, those of the archive only
 * where it is kept, and warns of settings with which a crash of the server can lose what
 * it has committed.
 * <p>
 * It works on a connection of its own: for a transaction that began before the tables
 * were made, they are not there.
 */
final class SchemaCheck {

	private static final Logger logger = LoggerFactory.getLogger(SchemaCheck.class);

	private final OutboxDatabase database;

	private final OutboxStatements statements;

	private final CheckStatements checks;

	/**
	 * Create a check.
	 * @throws DataAccessResourceFailureException if the database cannot be reached
	 */
	SchemaCheck(OutboxDatabase database) {
		this.database = database;
		this.statements = database.statements();
		this.checks = new CheckStatements(database.tablePrefix());
	}

	/**
	 * Check everything.
	 * @throws OutboxConfigurationException if something is not as it should be
	 * @throws DataAccessResourceFailureException if the database cannot be reached
	 */
	void run() {
		try (Connection connection = this.database.dataSource().getConnection()) {
			JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
			requireTables(jdbc);
			if (this.statements.isArchiving()) {
				requireArchive(jdbc);
			}
			requireDistinctKeys(jdbc);
			requireStripes(jdbc);
			requireReplicable(jdbc);
			warnUnlessDurable(jdbc);
		}
		catch (SQLException ex) {
			throw new DataAccessResourceFailureException("No connection: " + ex.getMessage(), ex);
		}
	}

	private void requireTables(JdbcTemplate jdbc) {
		try {
			probe(jdbc, this.checks.probe);
			probe(jdbc, this.checks.probeDead);
			jdbc.queryForObject(this.checks.countStripes, Integer.class);
		}
		catch (DataAccessResourceFailureException ex) {
			throw ex;
		}
		catch (DataAccessException ex) {
			throw new OutboxConfigurationException(
					"The tables of the outbox, '%1$smessage', '%1$sfailed', '%1$sdead_letter' and '%1$sstripe', are missing or not as they should be: %2$s."
						.formatted(this.database.tablePrefix(), ex.getMostSpecificCause().getMessage()),
					"Set outbox.jdbc.initialize-schema=always to have missing tables created, or run %s (in package io.orderedoutbox.store of the library) with your migration tool. Neither changes a table that is there already: compare it with the script."
						.formatted(script()),
					ex);
		}
	}

	private void requireArchive(JdbcTemplate jdbc) {
		try {
			probe(jdbc, this.statements.probeArchive);
		}
		catch (DataAccessResourceFailureException ex) {
			throw ex;
		}
		catch (DataAccessException ex) {
			throw new OutboxConfigurationException(
					"The archive is enabled, but its table '%sarchive' is missing or not as it should be: %s."
						.formatted(this.database.tablePrefix(), ex.getMostSpecificCause().getMessage()),
					"Set outbox.jdbc.initialize-schema=always to have a missing table created, or create it with your migration tool as in %s (in package io.orderedoutbox.store of the library), or set outbox.archive.enabled=false."
						.formatted(script()),
					ex);
		}
	}

	private static void probe(JdbcTemplate jdbc, String statement) {
		jdbc.query(statement, (row) -> {
		});
	}

	// Java tells keys apart byte by byte, and so must the database
	private void requireDistinctKeys(JdbcTemplate jdbc) {
		Integer distinct = jdbc.queryForObject(this.checks.countDistinctKeys, Integer.class);
		if (distinct == null || distinct != 3) {
			throw new OutboxConfigurationException(
					"Column 'partition_key' of table '%smessage' has a collation in which different keys are equal."
						.formatted(this.database.tablePrefix()),
					"Give it the collation that it has in %s: otherwise no order can be kept.".formatted(script()));
		}
	}

	private void requireStripes(JdbcTemplate jdbc) {
		Integer stripes = jdbc.queryForObject(this.checks.countStripes, Integer.class);
		if (stripes == null || stripes != Stripes.COUNT) {
			throw new OutboxConfigurationException(
					"Table '%sstripe' has %s rows instead of %d.".formatted(this.database.tablePrefix(), stripes,
							Stripes.COUNT),
					"Run the last statement of %s, which inserts the missing ids from 0 to %d: otherwise no order can be kept."
						.formatted(script(), Stripes.COUNT - 1));
		}
	}

	// With statements in the binary log the server refuses the DELETE of a relay, after
	// the messages were sent
	private void requireReplicable(JdbcTemplate jdbc) {
		if (!isTrueAsFarAsKnown(jdbc, this.checks.isReplicable)) {
			throw new OutboxConfigurationException(
					"The binary log of the database has the format STATEMENT, which refuses changes at READ COMMITTED.",
					"Set binlog_format=ROW, the default.");
		}
	}

	private void warnUnlessDurable(JdbcTemplate jdbc) {
		if (!isTrueAsFarAsKnown(jdbc, this.checks.isDurable)) {
			logger.atWarn()
				.addKeyValue("settings", "innodb_flush_log_at_trx_commit, sync_binlog")
				.log("The database is not set up to survive a crash: after one it can have forgotten commits "
						+ "whose messages were already relayed. Set innodb_flush_log_at_trx_commit=1, and with a "
						+ "binary log sync_binlog=1");
		}
	}

	// Managed servers hide some of their settings
	private static boolean isTrueAsFarAsKnown(JdbcTemplate jdbc, String question) {
		try {
			return !Boolean.FALSE.equals(jdbc.queryForObject(question, Boolean.class));
		}
		catch (DataAccessException ex) {
			logger.debug("A setting of the server could not be read", ex);
			return true;
		}
	}

	private String script() {
		return "schema-%s.sql".formatted(this.statements.dialect().platform());
	}

}
