/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.idle;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Set;

/**
 * Transactions in a schema that are open for longer than a statement takes: those that
 * are there in two samples on end.
 */
final class OpenTransactions {

	private static final String QUERY = """
			SELECT t.trx_mysql_thread_id, t.trx_started FROM information_schema.innodb_trx t
			JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
			WHERE p.db = DATABASE() AND p.id <> CONNECTION_ID()""";

	private final Connection connection;

	private Set<String> before = Set.of();

	OpenTransactions(Connection connection) {
		this.connection = connection;
	}

	/**
	 * How many of those that are open now were open when this was last asked.
	 */
	int sample() throws SQLException {
		Set<String> now = new HashSet<>();
		try (Statement statement = this.connection.createStatement(); ResultSet open = statement.executeQuery(QUERY)) {
			while (open.next()) {
				now.add(open.getString(1) + " since " + open.getString(2));
			}
		}
		Set<String> still = new HashSet<>(now);
		still.retainAll(this.before);
		this.before = now;
		return still.size();
	}

}
