/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.jdbc.dialect.SqlFragments;

import static io.orderedoutbox.jdbc.dialect.SqlFragments.LOOK;

/**
 * Whether the relays of all instances are paused, in a table of the outbox, which may be
 * missing: then they are not.
 */
public final class JdbcPause {

	private final OptionalTable table;

	private final String count;

	private final OutboxDatabase database;

	private final String resume;

	/**
	 * Create it.
	 * @param database the database of the outbox
	 */
	public JdbcPause(OutboxDatabase database) {
		this.table = new OptionalTable(database, "pause");
		this.count = LOOK + "COUNT(*) FROM %s WHERE id = 1".formatted(this.table.name());
		this.database = database;
		this.resume = "DELETE FROM %s WHERE id = 1".formatted(this.table.name());
	}

	/**
	 * Return whether they are paused.
	 * @return whether they are, or should soon be
	 */
	public boolean isPaused() {
		return Integer.valueOf(1).equals(this.table.read((jdbc) -> jdbc.queryForObject(this.count, Integer.class)));
	}

	private String pause(SqlFragments sql) {
		return sql.insertOrUpdate(this.table.name(), "id, paused_at", "VALUES (1, %s)".formatted(sql.now()), "id",
				"id = 1");
	}

	/**
	 * Say that they are to be paused, or to go on.
	 * @param paused whether they are to be paused
	 * @throws OutboxConfigurationException if there is no table for it
	 */
	public void set(boolean paused) {
		if (!this.table.update(paused ? pause(this.database.dialect().sql()) : this.resume)) {
			throw new OutboxConfigurationException(
					"All instances can only be paused with table '%s', which is missing.".formatted(this.table.name()),
					"Create it with the script of the outbox, or pause each instance.");
		}
	}

}
