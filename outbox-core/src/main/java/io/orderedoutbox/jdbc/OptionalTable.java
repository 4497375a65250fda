/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.time.Duration;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A table of the outbox that may be missing, because nothing that matters depends on it,
 * and because a schema that was made before does not have it. The library never uses the
 * table in the transaction that the caller may be in, and not for long.
 */
final class OptionalTable {

	private static final Logger logger = LoggerFactory.getLogger(OptionalTable.class);

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private final OutboxDatabase database;

	private final String name;

	/**
	 * A table.
	 * @param suffix what its name ends with
	 */
	OptionalTable(OutboxDatabase database, String suffix) {
		this.database = database;
		this.name = database.tablePrefix() + suffix;
	}

	String name() {
		return this.name;
	}

	/**
	 * Read.
	 * @return what the query returns, or {@code null} if there is no such table
	 */
	<T> @Nullable T read(Function<JdbcTemplate, T> query) {
		try {
			return this.database.look(PATIENCE, query);
		}
		catch (BadSqlGrammarException ex) {
			logger.debug("Table {} is missing, or not as it should be", this.name, ex);
			return null;
		}
	}

	/**
	 * Write with one statement.
	 * @return whether there is such a table
	 */
	boolean update(String statement, @Nullable Object... arguments) {
		return change(statement, arguments) != null;
	}

	/**
	 * Write with one statement.
	 * @return how many rows it has changed, or {@code null} if there is no such table
	 */
	@Nullable Integer change(String statement, @Nullable Object... arguments) {
		return read((jdbc) -> jdbc.update(statement, arguments));
	}

}
