/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Function;

import javax.sql.DataSource;

import io.orderedoutbox.jdbc.dialect.Dialect;
import io.orderedoutbox.jdbc.dialect.SessionSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionDefinition;

/**
 * Sessions in which the library looks at numbers and writes what is for eyes only. They
 * are as the application has set them, but for the time after which the server gives up a
 * statement: on MySQL a statement itself says how long it may take, on MariaDB the
 * session does.
 */
public final class OwnSessions {

	// Another instance may be creating the tables for a minute
	private static final Duration LONGEST = Duration.ofSeconds(70);

	private final DataSource dataSource;

	private volatile boolean lifting;

	/**
	 * Create sessions on connections of their own.
	 * @param dataSource gives the connections
	 */
	public OwnSessions(DataSource dataSource) {
		this.dataSource = dataSource;
	}

	/**
	 * Look at a server that may not be one of ours.
	 */
	public <T> T first(Duration patience, Function<JdbcTemplate, T> query) {
		return on((connection) -> {
			Dialect.requireSupported(connection.getMetaData());
			return Connections.read(connection, null, TransactionDefinition.ISOLATION_DEFAULT, patience, query);
		});
	}

	/**
	 * Look, without locks.
	 * @throws QueryTimeoutException if the server has given the query up
	 */
	public <T> T look(Dialect dialect, Duration patience, Function<JdbcTemplate, T> query) {
		try {
			return read(dialect, this.lifting ? dialect.timeLimit() : null, patience, query);
		}
		catch (QueryTimeoutException ex) {
			if (this.lifting || dialect.timeLimit() == null) {
				throw ex;
			}
			// From now on. It costs two statements, and few sessions have such a limit
			this.lifting = true;
			return read(dialect, dialect.timeLimit(), patience, query);
		}
	}

	private <T> T read(Dialect dialect, @Nullable SessionSettings timeLimit, Duration patience,
			Function<JdbcTemplate, T> query) {
		return on((connection) -> Connections.read(connection, timeLimit, dialect.isolationOfLooks(), patience, query));
	}

	/**
	 * Do what may take its time.
	 */
	public <T> T work(Dialect dialect, Function<JdbcTemplate, T> work) {
		return on((connection) -> Connections.work(connection, dialect.timeLimit(), LONGEST, work));
	}

	private <T> T on(Work<T> work) {
		try (Connection connection = Connections.open(this.dataSource)) {
			return work.in(connection);
		}
		catch (SQLException ex) {
			throw new DataAccessResourceFailureException("The connection to the database fails: " + ex.getMessage(),
					ex);
		}
		catch (UncategorizedSQLException ex) {
			throw ServerTimeout.translated(ex);
		}
	}

	/**
	 * Something that needs a connection.
	 */
	@FunctionalInterface
	private interface Work<T> {

		T in(Connection connection) throws SQLException;

	}

}
