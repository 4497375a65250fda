/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.util.Objects;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * What a connection is set to.
 */
public record Session(long connectionId, int waitTimeout, int networkTimeout, String isolation, boolean autoCommit) {

	private static final String MYSQL = "SELECT CONNECTION_ID(), @@SESSION.wait_timeout, @@SESSION.autocommit, @@SESSION.";

	private static final String POSTGRESQL = """
			SELECT pg_backend_pid(), COALESCE(NULLIF(CAST(setting AS INT), 0) / 1000, 86400), TRUE,
			upper(replace(current_setting('default_transaction_isolation'), ' ', '-'))
			FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout'""";

	private static final String H2 = "SELECT SESSION_ID(), 0, TRUE, REPLACE(isolation_level, ' ', '-') "
			+ "FROM information_schema.sessions WHERE session_id = SESSION_ID()";

	/**
	 * That of the connection which the thread gets now.
	 */
	public static Session of(OutboxDatabase database) {
		String sql = switch (database.dialect()) {
			case MYSQL -> MYSQL + "transaction_isolation";
			case MARIADB -> MYSQL + "tx_isolation";
			case POSTGRESQL -> POSTGRESQL;
			case H2 -> H2;
		};
		return Objects.requireNonNull(new JdbcTemplate(database.dataSource()).execute((Connection connection) -> {
			try (ResultSet row = connection.createStatement().executeQuery(sql)) {
				row.next();
				return new Session(row.getLong(1), row.getInt(2), connection.getNetworkTimeout(), row.getString(4),
						row.getBoolean(3) && connection.getAutoCommit());
			}
		}));
	}

}
