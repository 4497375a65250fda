/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.publish;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

import io.orderedoutbox.benchmark.load.Payloads;
import io.orderedoutbox.benchmark.scenario.Bench;
import io.orderedoutbox.servers.Database;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Rows like those of the outbox, written and deleted by plain JDBC: batches that the
 * driver rewrites, a transaction for each.
 */
final class RawRows implements AutoCloseable {

	private static final int PER_TRANSACTION = 1_000;

	private static final String INSERT = """
			INSERT INTO raw_message (lane, message_id, name, partition_key, exchange, routing_key, content_type, payload,
			created_at, available_at) VALUES (?, ?, 'benchmark.message', ?, '', 'benchmark', 'application/json', ?,
			%1$s, %1$s)""";

	private static final String DELETE = "DELETE FROM raw_message WHERE lane = ? AND id = ?";

	private static final int LANES = 64;

	private final Payloads payloads;

	private final Connection connection;

	private final String insert;

	RawRows(Bench bench, Database database) throws SQLException {
		this.payloads = bench.payloads();
		String url = database.jdbcUrl();
		this.connection = DriverManager.getConnection(
				url + (url.contains("?") ? "&" : "?")
						+ database.choose("rewriteBatchedStatements=true", "reWriteBatchedInserts=true"),
				database.username(), database.password());
		try (Statement statement = this.connection.createStatement()) {
			statement.execute(database.choose("CREATE TABLE raw_message LIKE outbox_message",
					"CREATE TABLE raw_message (LIKE outbox_message INCLUDING ALL)"));
		}
		this.connection.setAutoCommit(false);
		this.insert = INSERT.formatted(database.choose("UTC_TIMESTAMP(6)", "statement_timestamp()"));
	}

	/**
	 * Insert rows, numbered from one.
	 * @return rows a second
	 */
	double insert(int rows) throws SQLException {
		return measured(this.insert, rows, (statement, row) -> {
			statement.setInt(1, row % LANES);
			statement.setString(2, UUID.randomUUID().toString());
			statement.setString(3, "key-" + row % 1_000);
			statement.setBytes(4, this.payloads.of(row));
		});
	}

	/**
	 * Delete the rows that were inserted.
	 * @return rows a second
	 */
	double delete(int rows) throws SQLException {
		double rate = measured(DELETE, rows, (statement, row) -> {
			statement.setInt(1, row % LANES);
			statement.setLong(2, row);
		});
		long left = JdbcClient.create(new SingleConnectionDataSource(this.connection, true))
			.sql("SELECT COUNT(*) FROM raw_message")
			.query(Long.class)
			.single();
		if (left != 0) {
			throw new IllegalStateException("There are %d raw rows left".formatted(left));
		}
		return rate;
	}

	private double measured(String sql, int rows, Values values) throws SQLException {
		long start = System.nanoTime();
		try (PreparedStatement statement = this.connection.prepareStatement(sql)) {
			for (int row = 1; row <= rows; row++) {
				values.set(statement, row);
				statement.addBatch();
				if (row % PER_TRANSACTION == 0 || row == rows) {
					statement.executeBatch();
					this.connection.commit();
				}
			}
		}
		return rows / ((System.nanoTime() - start) / 1e9);
	}

	@Override
	public void close() throws SQLException {
		this.connection.close();
	}

	@FunctionalInterface
	private interface Values {

		void set(PreparedStatement statement, int row) throws SQLException;

	}

}
