/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Questions to the database on a connection of one's own.
 */
final class Sql {

	private Sql() {
	}

	static long number(Statement statement, String query) throws SQLException {
		try (ResultSet result = statement.executeQuery(query)) {
			result.next();
			return result.getLong(1);
		}
	}

}
