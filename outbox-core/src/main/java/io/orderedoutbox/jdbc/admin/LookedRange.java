/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.util.List;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * How far is looked: so that nothing reads a table from one end to the other, however few
 * of its rows are wanted.
 *
 * @param last the last row that is looked at
 * @param isTheLast whether there is nothing behind it
 */
record LookedRange(long last, boolean isTheLast) {

	/** As far as lanes go. */
	static final LookedRange ALL_LANES = new LookedRange(Long.MIN_VALUE, true);

	/**
	 * Find the end of a range.
	 * @param statement counts rows up to a limit, and returns the last of them
	 * @param limit the limit
	 * @param arguments what the statement binds
	 */
	static LookedRange find(JdbcTemplate jdbc, String statement, int limit, Object... arguments) {
		List<LookedRange> range = jdbc.query(statement,
				(rs, index) -> new LookedRange(rs.getLong("last"), rs.getInt("looked") < limit), arguments);
		return range.get(0);
	}

}
