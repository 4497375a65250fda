/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.server;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * The words of MySQL and MariaDB.
 */
record MySqlWords() implements DatabaseWords {

	private static final int DEADLOCK = 1213;

	private static final int LOCK_WAIT_TIMEOUT = 1205;

	private static final int NO_SUCH_CONNECTION = 1094;

	@Override
	public String url(String host, int port, String schema) {
		return "jdbc:mysql://%s:%d/%s?sslMode=DISABLED&allowPublicKeyRetrieval=true".formatted(host, port, schema);
	}

	// The server is set up like that
	@Override
	public String administration(String jdbcUrl) {
		return jdbcUrl;
	}

	@Override
	public String limits(Duration connect, Duration answer) {
		return "&connectTimeout=%d&socketTimeout=%d".formatted(connect.toMillis(), answer.toMillis());
	}

	@Override
	public String lockWait(Duration wait) {
		return "&sessionVariables=innodb_lock_wait_timeout=" + wait.toSeconds();
	}

	@Override
	public String createSchema(String schema) {
		return "CREATE DATABASE " + schema + " CHARACTER SET utf8mb4";
	}

	@Override
	public String dropSchema(String schema) {
		return "DROP DATABASE IF EXISTS " + schema;
	}

	@Override
	public String schemas() {
		return "SELECT schema_name FROM information_schema.schemata "
				+ "WHERE schema_name NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema')";
	}

	@Override
	public String numbered() {
		return "BIGINT AUTO_INCREMENT PRIMARY KEY";
	}

	@Override
	public String id() {
		return "CHAR(36) CHARACTER SET ascii COLLATE ascii_bin";
	}

	@Override
	public String key() {
		return "VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin";
	}

	@Override
	public String exactKey() {
		return "VARBINARY(255)";
	}

	@Override
	public String countEffect() {
		return """
				INSERT INTO chaos_progress (partition_key, effects) VALUES (?, 1)
				ON DUPLICATE KEY UPDATE effects = effects + 1""";
	}

	@Override
	public String random() {
		return "RAND()";
	}

	// The administrator is another user
	@Override
	public String connections() {
		return "SELECT id FROM information_schema.processlist WHERE user = ? ORDER BY RAND()";
	}

	@Override
	public String kill(long connection) {
		return "KILL " + connection;
	}

	// The server gives up who has changed less
	@Override
	public List<String> preference() {
		return List.of();
	}

	@Override
	public boolean isAboutLocks(SQLException error) {
		return error.getErrorCode() == DEADLOCK || error.getErrorCode() == LOCK_WAIT_TIMEOUT;
	}

	@Override
	public boolean isGone(SQLException error) {
		return error.getErrorCode() == NO_SUCH_CONNECTION;
	}

}
