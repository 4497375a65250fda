/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.sql.Connection;
import java.util.List;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.jdbc.connection.DatabaseName;
import io.orderedoutbox.schema.Difference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Checks that every table, column and index is there, each by itself, those of the
 * archive only where it is kept, that there are as many partitions as there should be,
 * and that driver and server agree on auto-commit, and warns of settings with which a
 * crash of the server can lose what it has committed.
 * <p>
 * The check works on a connection of its own: for a transaction that began before the
 * tables were made, they are not there.
 */
public final class SchemaCheck {

	private static final Logger logger = LoggerFactory.getLogger(SchemaCheck.class);

	private final OutboxDatabase database;

	private final OutboxStatements statements;

	private final CheckStatements checks;

	/**
	 * Create a check.
	 * @throws DataAccessResourceFailureException if the database cannot be reached
	 */
	public SchemaCheck(OutboxDatabase database) {
		this.database = database;
		this.statements = database.statements();
		this.checks = new CheckStatements(database.dialect(), database.tablePrefix());
	}

	/**
	 * Check everything.
	 * @throws OutboxConfigurationException if something is not as it should be
	 * @throws DataAccessResourceFailureException if the database cannot be reached
	 */
	public void run() {
		this.database.work((jdbc) -> {
			run(jdbc);
			return true;
		});
		requireSameDatabase();
	}

	private void run(JdbcTemplate jdbc) {
		requireKnownAutoCommit(jdbc);
		requireOwn(jdbc);
		requireNothingMissing(jdbc);
		requireReadable(jdbc);
		requireDistinctKeys(jdbc);
		new PartitionCheck(this.database).run(jdbc);
		requireNoDefect(jdbc);
		requireReplicable(jdbc);
		warnUnlessDurable(jdbc);
	}

	/**
	 * Check that the tables that are there are those of this version of the outbox.
	 * @param jdbc a template on a connection
	 * @throws OutboxConfigurationException if they are not
	 */
	public void requireOwn(JdbcTemplate jdbc) {
		new ColumnCheck(this.database, this.checks).run(jdbc);
		new OutboxSchema(this.database).requireKnownVersion(jdbc);
	}

	/**
	 * Add what the tables that are there lack, if it can be added at once and touches no
	 * row.
	 * @param jdbc a template on a connection
	 * @throws OutboxConfigurationException if the server refuses that
	 */
	public void addMissingColumns(JdbcTemplate jdbc) {
		new OutboxSchema(this.database).additions().add(jdbc);
	}

	// A relay that looks elsewhere finds nothing to send, and no error
	private void requireSameDatabase() {
		OutboxDatabase ofRelay = this.database.background();
		if (ofRelay != this.database && !which(this.database).equals(which(ofRelay))) {
			throw new OutboxConfigurationException(
					"The relay would look for messages in another database than the one that they are written to: database %s is written to, and the DataSource of the relay leads to database %s."
						.formatted(DatabaseName.of(this.database.dataSource()), DatabaseName.of(ofRelay.dataSource())),
					"Let the DataSource that is marked with @OutboxRelayDataSource lead to the same schema of the same server, or remove it.");
		}
	}

	private String which(OutboxDatabase database) {
		return database.work((jdbc) -> String.valueOf(jdbc.queryForObject(this.checks.whichDatabase, String.class)));
	}

	// What is written outside of transactions would be lost, and what is read would be as
	// old as the first look
	private void requireKnownAutoCommit(JdbcTemplate jdbc) {
		if (Boolean.TRUE.equals(jdbc.execute(Connection::getAutoCommit))
				&& Boolean.FALSE.equals(jdbc.queryForObject(this.checks.commitsByItself, Boolean.class))) {
			throw new OutboxConfigurationException(
					"A statement has switched auto-commit off in the sessions of the DataSource (autocommit=0), and neither its pool nor its driver knows that.",
					"Remove it: see spring.datasource.hikari.connection-init-sql, and init_connect of the server. To switch auto-commit off, set spring.datasource.hikari.auto-commit=false.");
		}
	}

	private void requireNothingMissing(JdbcTemplate jdbc) {
		List<Difference> missing = new OutboxSchema(this.database).missing(jdbc);
		if (!missing.isEmpty()) {
			throw notAsTheyShouldBe(Difference.texts(missing), Difference.remedy(missing, this::remedy), null);
		}
	}

	private String remedy(boolean isCreated) {
		String archive = this.database.isArchiving()
				? " Without an archive (outbox.archive.enabled=false) its table may be missing." : "";
		return (isCreated
				? "Set outbox.jdbc.initialize-schema=always to have missing tables and columns added, or run %s (in package io.orderedoutbox.jdbc of the library) with your migration tool."
					.formatted(script())
				: "Change the tables to what they are in %s (in package io.orderedoutbox.jdbc of the library) with your migration tool."
					.formatted(script()))
				+ archive;
	}

	private static OutboxConfigurationException notAsTheyShouldBe(String reason, String remedy,
			@Nullable DataAccessException ex) {
		return new OutboxConfigurationException(
				"The tables of the outbox are missing or not as they should be: %s.".formatted(reason), remedy, ex);
	}

	// What is there may still be closed to this user
	private void requireReadable(JdbcTemplate jdbc) {
		try {
			probe(jdbc, this.checks.probe);
			probe(jdbc, this.checks.probeParked);
			probe(jdbc, this.checks.probeDead);
			probe(jdbc, this.checks.countPartitions);
			probe(jdbc, this.checks.countStripes);
			if (this.database.isArchiving()) {
				probe(jdbc, this.statements.probeArchive);
			}
		}
		catch (DataAccessResourceFailureException ex) {
			throw ex;
		}
		catch (DataAccessException ex) {
			throw notAsTheyShouldBe(String.valueOf(ex.getMostSpecificCause().getMessage()), remedy(false)
					+ " If they are as they should be, give the database's user the rights to read and write them.",
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

	private void requireNoDefect(JdbcTemplate jdbc) {
		jdbc.queryForList(this.checks.defect, String.class).stream().findFirst().ifPresent((defect) -> {
			throw new OutboxConfigurationException("The database cannot hold the outbox: %s.".formatted(defect),
					"Use a database that was created with the encoding UTF8, and the tables as in %s: otherwise texts or the order are not kept."
						.formatted(script()));
		});
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
			String settings = this.database.dialect().questions().durableSettings();
			logger.atWarn()
				.addKeyValue("settings", settings)
				.log("The database is not set up to survive a crash: after one it can have forgotten commits "
						+ "whose messages were already relayed. Set {}", settings);
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
		return "schema-%s.sql".formatted(this.database.dialect().platform());
	}

}
