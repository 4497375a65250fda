/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;

import javax.sql.DataSource;

import io.orderedoutbox.jdbc.dialect.SessionSettings;
import io.orderedoutbox.transaction.WorkInTransaction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Connections that belong to no transaction of the application.
 */
public final class Connections {

	private static final Logger log = LoggerFactory.getLogger(Connections.class);

	private Connections() {
	}

	/**
	 * Return the data source under which transactions bind the connections of another
	 * one.
	 */
	public static DataSource target(DataSource dataSource) {
		DataSource target = (dataSource instanceof TransactionAwareDataSourceProxy proxy) ? proxy.getTargetDataSource()
				: null;
		return (target != null) ? target : dataSource;
	}

	/**
	 * Whether the thread is in a transaction or a session on a data source.
	 * @param dataSource under which a connection would be bound: {@link #target}
	 * @return whether there is one
	 */
	public static boolean isBound(DataSource dataSource) {
		return TransactionSynchronizationManager.hasResource(dataSource);
	}

	/**
	 * Take a connection, which the caller closes.
	 * @throws NoConnectionException if there is none
	 */
	static Connection open(DataSource dataSource) {
		try {
			return dataSource.getConnection();
		}
		// The latter from pools that are closed or cannot start
		catch (SQLException | IllegalStateException ex) {
			throw NoConnectionException.of(dataSource, ex);
		}
	}

	/**
	 * Read without locks, and wait for a server that says nothing no longer than the
	 * patience lasts.
	 * @param timeLimit sets the session's own limit to that, unless {@code null}
	 * @param isolation of the transaction, where a statement is not committed by itself
	 */
	static <T> T read(Connection connection, @Nullable SessionSettings timeLimit, int isolation, Duration patience,
			Function<JdbcTemplate, T> query) throws SQLException {
		int before = connection.getNetworkTimeout();
		connection.setNetworkTimeout(Runnable::run, (int) patience.toMillis());
		try {
			return work(connection, timeLimit, patience,
					(jdbc) -> isCommitting(jdbc) ? query.apply(jdbc) : inTransaction(jdbc, isolation, query));
		}
		finally {
			if (!connection.isClosed()) {
				connection.setNetworkTimeout(Runnable::run, before);
			}
		}
	}

	private static boolean isCommitting(JdbcTemplate jdbc) {
		return Boolean.TRUE.equals(jdbc.execute(Connection::getAutoCommit));
	}

	private static <T> T inTransaction(JdbcTemplate jdbc, int isolation, Function<JdbcTemplate, T> query) {
		DefaultTransactionDefinition definition = new DefaultTransactionDefinition();
		definition.setIsolationLevel(isolation);
		return WorkInTransaction.of(new JdbcTransactionManager(Objects.requireNonNull(jdbc.getDataSource())),
				definition, (status) -> query.apply(jdbc));
	}

	/**
	 * Work in a session that gives up no statement before its time.
	 * @param timeLimit sets the session's own limit, unless {@code null}
	 * @param time how long a statement may take
	 */
	static <T> T work(Connection connection, @Nullable SessionSettings timeLimit, Duration time,
			Function<JdbcTemplate, T> work) throws SQLException {
		JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
		if (timeLimit == null) {
			return work.apply(jdbc);
		}
		timeLimit.applyTo(connection, time.toSeconds());
		try {
			return work.apply(jdbc);
		}
		finally {
			restore(connection, timeLimit);
		}
	}

	private static void restore(Connection connection, SessionSettings settings) throws SQLException {
		try {
			settings.restoreTo(connection);
		}
		catch (SQLException ex) {
			log.debug("A session could not be restored: its connection is given up", ex);
			connection.abort(Runnable::run);
		}
	}

}
