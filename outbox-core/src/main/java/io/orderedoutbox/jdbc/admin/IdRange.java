/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.util.Objects;

import io.orderedoutbox.admin.TimeRange;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.dialect.SqlFragments;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The ids in the archive between which all is that was published in a range of time. An
 * index tells them without a look at any message.
 *
 * @param first the first id
 * @param last the last id
 */
record IdRange(long first, long last) {

	static IdRange find(JdbcTemplate jdbc, OutboxDatabase database, TimeRange range) {
		SqlFragments sql = database.dialect().sql();
		String archive = database.tablePrefix() + "archive";
		String index = range.isAlways() ? "PRIMARY" : archive + "_published";
		// PostgreSQL would look for the first id that is in the range from the first of
		// all on
		String id = range.isAlways() ? "a.id" : "a.id + 0";
		return Objects.requireNonNull(jdbc.queryForObject(
				"SELECT COALESCE(MIN(%1$s), 0) AS first, COALESCE(MAX(%1$s), -1) AS last FROM %2$s a %3$s WHERE TRUE%4$s"
					.formatted(id, archive, sql.by(index), SelectionFragments.during(sql, "a.published_at", range)),
				(rs, row) -> new IdRange(rs.getLong("first"), rs.getLong("last"))));
	}

}
