/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

import java.util.Locale;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The words of PostgreSQL. An error of a statement, as that of a key that is there
 * already, would end the transaction: no statement may make one on purpose.
 */
record PostgreSqlInboxSql() implements InboxSql {

	private static final String LOCK = "hashtextextended(concat_ws('.', 'inbox', current_schema(), '%s'), 0)";

	@Override
	public String consumer() {
		return "convert_from(decode(?, 'base64'), 'UTF8')";
	}

	// Columns have the bytes of such texts: a text cannot have all characters here
	@Override
	public String text() {
		return "decode(?, 'base64')";
	}

	@Override
	public String encoded(String column) {
		return "encode(%s, 'base64')".formatted(column);
	}

	// Not now(), which is when the transaction began
	@Override
	public String now() {
		return "statement_timestamp()";
	}

	@Override
	public String fromNow() {
		return "statement_timestamp() + ? * INTERVAL '1 microsecond'";
	}

	@Override
	public String age(String time) {
		return "CAST(EXTRACT(EPOCH FROM statement_timestamp() - %s) * 1000000 AS BIGINT)".formatted(time);
	}

	@Override
	public String micros(String time) {
		return "CAST(EXTRACT(EPOCH FROM %s) * 1000000 AS BIGINT)".formatted(time);
	}

	@Override
	public String fromEpoch() {
		return "TIMESTAMPTZ 'epoch' + ? * INTERVAL '1 microsecond'";
	}

	@Override
	public String look() {
		return "SELECT ";
	}

	@Override
	public String add(String table, String columns, String values, String same) {
		return insert(table, columns, values);
	}

	// Waits for a transaction that is about to store the same, as a plain one would
	@Override
	public String insert(String table, String columns, String values) {
		return "INSERT INTO %s (%s) VALUES (%s) ON CONFLICT DO NOTHING".formatted(table, columns, values);
	}

	// A change of a row would move it. These are never changed
	@Override
	public String deleteFirst(String table, String condition, String order) {
		return "DELETE FROM %1$s WHERE ctid = ANY (ARRAY(SELECT ctid FROM %1$s WHERE %2$s ORDER BY %3$s LIMIT ?))"
			.formatted(table, condition, order);
	}

	@Override
	public String tryLock(String table) {
		return "SELECT CASE WHEN pg_try_advisory_lock(%s) THEN 1 ELSE 0 END".formatted(lock(table));
	}

	@Override
	public String release(String table) {
		return "SELECT CASE WHEN pg_advisory_unlock(%s) THEN 1 ELSE 0 END".formatted(lock(table));
	}

	private static String lock(String table) {
		return LOCK.formatted(table.toLowerCase(Locale.ROOT));
	}

	// One that makes a table that another one is making fails
	@Override
	public void create(JdbcTemplate jdbc, String table, Runnable creation) {
		jdbc.execute("SELECT 1 FROM pg_advisory_lock(%s)".formatted(lock("tables of " + table)));
		try {
			creation.run();
		}
		finally {
			jdbc.execute(release("tables of " + table));
		}
	}

	// A number of bytes has no collation
	@Override
	public String distinct(String table) {
		return """
				SELECT COUNT(*) FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
				LEFT JOIN pg_collation c ON c.oid = a.attcollation
				WHERE i.indrelid = to_regclass('%s') AND i.indisprimary
				AND (a.attname = 'consumer' AND c.collisdeterministic OR a.attname = 'message_id' AND a.atttypid = 'bytea'::regtype)"""
			.formatted(table);
	}

}
