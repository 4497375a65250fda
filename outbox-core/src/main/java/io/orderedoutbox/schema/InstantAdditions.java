/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.schema;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.schema.Difference.Kind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.StringUtils;

/**
 * Adds columns to tables that are in use: only those that the server adds at once,
 * without touching a row.
 * <ol>
 * <li>The server is told to fail if it cannot do that.</li>
 * <li>A column cannot be added while a transaction uses the table, and whoever comes
 * after the statement waits behind it. So the statement waits a second, and then gives
 * up: no transaction waits longer because of it.</li>
 * <li>Those that have waited go on. Then it is tried again, a few times.</li>
 * </ol>
 * What else is missing is left to a migration tool.
 */
public final class InstantAdditions {

	private static final Logger logger = LoggerFactory.getLogger(InstantAdditions.class);

	private static final int ATTEMPTS = 5;

	private final SchemaDialect dialect;

	private final SchemaComparison comparison;

	/**
	 * Create additions.
	 * @param dialect what the database speaks
	 * @param comparison knows what is missing
	 */
	public InstantAdditions(SchemaDialect dialect, SchemaComparison comparison) {
		this.dialect = dialect;
		this.comparison = comparison;
	}

	/**
	 * Add the columns that can be added.
	 * @param jdbc a template on one connection
	 * @throws OutboxConfigurationException if one cannot be added
	 */
	public void add(JdbcTemplate jdbc) {
		List<Difference> additions = this.comparison.differences(jdbc)
			.stream()
			.filter((difference) -> difference.kind() == Kind.ADDABLE_COLUMN)
			.toList();
		if (additions.isEmpty()) {
			return;
		}
		execute(jdbc, this.dialect.words().limitWait());
		try {
			additions.forEach((addition) -> add(jdbc, addition));
		}
		finally {
			execute(jdbc, this.dialect.words().restoreWait());
		}
	}

	// An error may leave nothing else to do in its transaction, and take back settings
	// that were made in it
	private static void execute(JdbcTemplate jdbc, String statement) {
		jdbc.execute((Connection connection) -> {
			boolean isTransaction = !connection.getAutoCommit();
			try (Statement executed = connection.createStatement()) {
				// Of a feature that the server does not have HikariCP closes the
				// connection, and the refusal would not be told
				executed.unwrap(Statement.class).execute(statement);
			}
			catch (SQLException ex) {
				if (isTransaction) {
					connection.rollback();
				}
				throw ex;
			}
			if (isTransaction) {
				connection.commit();
			}
			return true;
		});
	}

	private void add(JdbcTemplate jdbc, Difference addition) {
		for (int attempt = 1; !tryToAdd(jdbc, addition, attempt); attempt++) {
			logger.debug("Table {} is in use: attempt {} to add a column waited for a second", addition.table(),
					attempt);
		}
		logger.atInfo()
			.addKeyValue("table", addition.table())
			.log("A column that was missing has been added: {}", addition.statement());
	}

	private boolean tryToAdd(JdbcTemplate jdbc, Difference addition, int attempt) {
		try {
			execute(jdbc, this.dialect.words().instantly(addition.statement()));
			return true;
		}
		catch (DataAccessResourceFailureException ex) {
			throw ex;
		}
		catch (DataAccessException ex) {
			if (this.dialect.words().isWaitOver(ex)) {
				if (attempt < ATTEMPTS) {
					return false;
				}
				throw refused(addition, "a transaction has been using the table for %d seconds".formatted(ATTEMPTS),
						"Start again when the table is not in use, or run it yourself", ex);
			}
			if (!this.comparison.differences(jdbc).contains(addition)) {
				logger.debug("Another instance has added it meanwhile: {}", addition.statement(), ex);
				return true;
			}
			throw refused(addition,
					StringUtils.trimTrailingCharacter(String.valueOf(ex.getMostSpecificCause().getMessage()), '.'),
					"Run it yourself, as a user that may, when no instance is running", ex);
		}
	}

	private static OutboxConfigurationException refused(Difference addition, String reason, String remedy,
			DataAccessException ex) {
		return new OutboxConfigurationException(
				"A column could not be added: %s, and %s.".formatted(addition.text(), reason),
				"%s: %s;".formatted(remedy, addition.statement()), ex);
	}

}
