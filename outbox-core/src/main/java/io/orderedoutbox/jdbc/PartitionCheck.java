/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import io.orderedoutbox.OutboxConfigurationException;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Checks that there are as many partitions as this instance counts.
 */
final class PartitionCheck {

	private final OutboxDatabase database;

	private final CheckStatements checks;

	PartitionCheck(OutboxDatabase database) {
		this.database = database;
		this.checks = new CheckStatements(database.dialect(), database.tablePrefix());
	}

	/**
	 * Check.
	 * @throws OutboxConfigurationException if there are not
	 */
	void run(JdbcTemplate jdbc) {
		requireRows(jdbc, "partition", this.checks.countPartitions);
		requireRows(jdbc, "stripe", this.checks.countStripes);
	}

	private void requireRows(JdbcTemplate jdbc, String table, String count) {
		int wanted = this.database.partitions().count();
		String name = this.database.tablePrefix() + table;
		jdbc.query(count, (rs) -> {
			int rows = rs.getInt(1);
			int last = rs.getInt(2);
			if (rows != wanted) {
				throw new OutboxConfigurationException(
						"Table '%s' has %d rows, but outbox.partitions is %d.".formatted(name, rows, wanted),
						"Set outbox.partitions to the number of partitions that the outbox was made with, or, if rows were lost, insert the ids from 0 to %d that are missing. As long as the numbers differ, no order can be kept. How to change the number of partitions: docs/schema.md."
							.formatted(wanted - 1));
			}
			if (last != wanted - 1) {
				throw new OutboxConfigurationException(
						"Table '%s' has a row with id %d, but outbox.partitions is %d.".formatted(name, last, wanted),
						"Correct the ids: they are 0 to %d. As long as one is missing, no order can be kept."
							.formatted(wanted - 1));
			}
		});
	}

}
