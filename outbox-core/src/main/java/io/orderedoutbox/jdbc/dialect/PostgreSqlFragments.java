/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.dialect;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The words of PostgreSQL. It locks only what a statement returns, however it finds that,
 * and can be told nothing about joins and indexes: the settings of the relay's session
 * keep it from scans instead.
 */
record PostgreSqlFragments() implements SqlFragments {

	@Override
	public String listOf(String json, String... columns) {
		return IntStream.range(0, columns.length)
			.mapToObj((index) -> column(index, columns[index].split(" ")))
			.collect(Collectors.joining(", ", "(SELECT ",
					" FROM json_array_elements(CAST(%s AS JSON)) e (v)) w".formatted(json)));
	}

	private static String column(int index, String[] nameAndType) {
		return "CAST(e.v ->> %d AS %s) AS %s".formatted(index, nameAndType[1], nameAndType[0]);
	}

	@Override
	public String idsOf(String json) {
		return "(SELECT CAST(e.v AS BIGINT) AS id FROM json_array_elements_text(CAST(%s AS JSON)) e (v)) w"
			.formatted(json);
	}

	// The parameters of the list come first. Where the assignments bind something, they
	// know nothing but the list
	@Override
	public String update(String source, String table, String alias, String condition, String... assignments) {
		String set = String.join(", ", assignments);
		return set.contains("?")
				? "WITH w AS (SELECT w.* FROM %s) UPDATE %s %s SET %s FROM w WHERE %s".formatted(source, table, alias,
						set, condition)
				: "UPDATE %s %s SET %s FROM %s WHERE %s".formatted(table, alias, set, source, condition);
	}

	@Override
	public String delete(String source, String table, String alias, String condition) {
		return "DELETE FROM %s %s USING %s WHERE %s".formatted(table, alias, source, condition);
	}

	@Override
	public String insertOrUpdate(String table, String columns, String rows, String key, String... assignments) {
		return "INSERT INTO %s (%s) %s ON CONFLICT (%s) DO UPDATE SET %s".formatted(table, columns, rows, key,
				String.join(", ", assignments));
	}

	@Override
	public String inserted(String column) {
		return "EXCLUDED." + column;
	}

	// Against a plain equality, the server may read a whole index, with all that is
	// deleted in it and not yet removed: for each row that it looks for, or once to join
	// what it has read. It does so once it has counted next to nothing in a table, which
	// is true of an outbox at most times. Of this it knows no order, so no whole index is
	// of any use
	@Override
	public String is(String column, String value) {
		return "%s = ANY (ARRAY[%s])".formatted(column, value);
	}

	// One look for each lane: a join could begin with all messages
	@Override
	public String joinFirst(String messageTable, String lane, String position) {
		return "CROSS JOIN LATERAL (SELECT m.* FROM %s m WHERE %s ORDER BY m.lane, m.id LIMIT 1) m"
			.formatted(messageTable, is("m.lane", lane));
	}

	// Only the primary key can find this. The index of positions leads through all lanes
	@Override
	public String inLane(long lane, long first, long last) {
		return "(m.lane, m.id) >= (%1$d, %2$d) AND (m.lane, m.id) <= (%1$d, %3$d)".formatted(lane, first, last);
	}

	// Where the rows are to have an order, the server sorts, and then locks
	@Override
	public String lockOf(String alias) {
		return "FOR UPDATE OF " + alias;
	}

	@Override
	public String textOf(String encoded) {
		return "convert_from(decode(%s, 'base64'), 'UTF8')".formatted(encoded);
	}

	@Override
	public String bytes() {
		return "decode(?, 'base64')";
	}

	@Override
	public String utf8(String text) {
		return "convert_to(%s, 'UTF8')".formatted(text);
	}

	@Override
	public String beginning(String bytes, String length) {
		return "SUBSTRING(%s FROM 1 FOR CAST(%s AS INTEGER))".formatted(bytes, length);
	}

	// Not now(), which is when the transaction began
	@Override
	public String now() {
		return "statement_timestamp()";
	}

	@Override
	public String minute() {
		return "date_trunc('minute', statement_timestamp())";
	}

	@Override
	public String timeOf(Instant time) {
		return "TIMESTAMPTZ '%s'".formatted(time.truncatedTo(ChronoUnit.MICROS));
	}

	@Override
	public String after(String micros, String time) {
		return "(%s + %s * INTERVAL '1 microsecond')".formatted(time, micros);
	}

	@Override
	public String between(String from, String to) {
		return "(%s - %s)".formatted(micros(to), micros(from));
	}

	@Override
	public String micros(String time) {
		return "CAST(EXTRACT(EPOCH FROM CAST(%s AS TIMESTAMPTZ)) * 1000000 AS BIGINT)".formatted(time);
	}

	@Override
	public String textOfTime(String time) {
		return "to_char(%s AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')".formatted(time);
	}

	@Override
	public String isoTextOfTime(String time) {
		return "to_char(%s AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')".formatted(time);
	}

	@Override
	public String timeOfText() {
		return "(CAST(? AS TIMESTAMP) AT TIME ZONE 'UTC')";
	}

	@Override
	public String commentOn(String table) {
		return "COALESCE(obj_description(to_regclass('%s'), 'pg_class'), '')".formatted(table);
	}

	// As of the last VACUUM or ANALYZE
	@Override
	public String estimateOf(String table) {
		return "SELECT CAST(reltuples AS BIGINT) AS rows FROM pg_class WHERE oid = to_regclass('%s')".formatted(table);
	}

	// A replica that becomes the primary has all identifiers of the old one. A restart of
	// the same server only has the cursors begin at the start
	@Override
	public String server() {
		return "CAST(EXTRACT(EPOCH FROM pg_postmaster_start_time()) AS TEXT)";
	}

	@Override
	public String connection() {
		return "pg_backend_pid()";
	}

	@Override
	public String readOnly() {
		return "pg_is_in_recovery()";
	}

}
