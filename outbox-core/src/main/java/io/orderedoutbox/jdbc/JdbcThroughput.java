/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.orderedoutbox.jdbc.dialect.SqlFragments;
import org.jspecify.annotations.Nullable;

import static io.orderedoutbox.jdbc.dialect.SqlFragments.LOOK;

/**
 * What all instances have published in each of the last sixty minutes, in a table of the
 * outbox, which may be missing. Minutes are those of the database.
 */
public final class JdbcThroughput {

	/**
	 * How many minutes are kept.
	 */
	public static final int MINUTES = 60;

	private static final long MICROS_IN_MINUTE = 60_000_000;

	private final OutboxDatabase database;

	private final OptionalTable table;

	/**
	 * Create it.
	 * @param database the database of the outbox
	 */
	public JdbcThroughput(OutboxDatabase database) {
		this.database = database;
		this.table = new OptionalTable(database, "throughput");
	}

	/**
	 * Return the name of the table.
	 * @return the name
	 */
	public String table() {
		return this.table.name();
	}

	/**
	 * Add to the current minute, in one statement.
	 * @param published how many messages were published
	 * @return whether there is a table for it
	 */
	public boolean add(long published) {
		SqlFragments sql = sql();
		String minute = sql.column("minute");
		String add = sql.insertOrUpdate(this.table.name(), minute + ", published",
				"VALUES (%s, ?)".formatted(sql.minute()), minute,
				"published = %s.published + ?".formatted(this.table.name()));
		return this.table.update(add, published, published);
	}

	/**
	 * Return what was published in each minute.
	 * @return {@value #MINUTES} numbers, the current minute last, or {@code null} if
	 * there is no table for them
	 */
	public @Nullable List<Long> lastHour() {
		List<Long> hour = new ArrayList<>(Collections.nCopies(MINUTES, 0L));
		SqlFragments sql = sql();
		String at = "t." + sql.column("minute");
		String list = LOOK + "%s AS ago, t.published FROM %s t WHERE %s > %s".formatted(sql.between(at, sql.minute()),
				this.table.name(), at, hourAgo(sql));
		List<Long> found = this.table.read((jdbc) -> jdbc.query(list, (rs, index) -> {
			long minute = MINUTES - 1 - rs.getLong("ago") / MICROS_IN_MINUTE;
			return hour.set((int) Math.min(Math.max(minute, 0), MINUTES - 1), rs.getLong("published"));
		}));
		return (found != null) ? hour : null;
	}

	/**
	 * Remove what is older, if there is a table.
	 */
	public void removeOld() {
		this.table.update(
				"DELETE FROM %s WHERE %s <= %s".formatted(this.table.name(), sql().column("minute"), hourAgo(sql())));
	}

	// Not before it is asked for something: the database may have to say what it speaks
	private SqlFragments sql() {
		return this.database.dialect().sql();
	}

	private static String hourAgo(SqlFragments sql) {
		return sql.after(String.valueOf(-MINUTES * MICROS_IN_MINUTE), sql.minute());
	}

}
