/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.dialect;

import java.time.Instant;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The words of MySQL and MariaDB. {@code STRAIGHT_JOIN} makes each entry of a list a
 * lookup by primary key; {@code FORCE INDEX} keeps it one where the table has so few rows
 * that reading them all would be cheaper.
 *
 * @param server what tells one server from another
 * @param locksByAlias whether the locking clause says which table is to be locked
 */
record MySqlFragments(String server, boolean locksByAlias) implements SqlFragments {

	private static final String ANY_TEXT = "CONVERT(%s USING utf8mb4)";

	@Override
	public String listOf(String json, String... columns) {
		return IntStream.range(0, columns.length)
			.mapToObj((index) -> "%s PATH '$[%d]'".formatted(columns[index], index))
			.map((column) -> column.replace(" TEXT ", " TEXT CHARACTER SET ascii "))
			.collect(Collectors.joining(", ", "JSON_TABLE(" + json + ", '$[*]' COLUMNS (", ")) w"));
	}

	// A driver may send what has quotes in it as bytes, which are no JSON
	@Override
	public String list(String... columns) {
		boolean hasText = Arrays.stream(columns).anyMatch((column) -> column.endsWith(" TEXT"));
		return listOf(hasText ? ANY_TEXT.formatted("?") : "?", columns);
	}

	@Override
	public String idsOf(String json) {
		return "JSON_TABLE(%s, '$[*]' COLUMNS (id BIGINT PATH '$')) w".formatted(json);
	}

	// Where a session speaks bytes only (SET NAMES binary), MySQL takes text that does
	// not
	// say in which character set it is for bytes, which are neither JSON nor a path in
	// it.
	// MariaDB does not, and takes no path that says so
	@Override
	public String inAnySession(String statement) {
		return this.locksByAlias
				? statement.replace("JSON_TABLE(?", "JSON_TABLE(CONVERT(? USING utf8mb4)").replace("'$", "_utf8mb4'$")
				: statement;
	}

	@Override
	public String join() {
		return "STRAIGHT_JOIN";
	}

	@Override
	public String by(String indexes) {
		return "FORCE INDEX (%s)".formatted(indexes);
	}

	@Override
	public String update(String source, String table, String alias, String condition, String... assignments) {
		return Arrays.stream(assignments)
			.map((assignment) -> alias + "." + assignment)
			.collect(Collectors.joining(", ",
					"UPDATE %s %s %s %s %s ON %s SET ".formatted(source, join(), table, alias, byId(), condition), ""));
	}

	@Override
	public String delete(String source, String table, String alias, String condition) {
		return "DELETE %4$s FROM %1$s %2$s %3$s %4$s %5$s ON %6$s".formatted(source, join(), table, alias, byId(),
				condition);
	}

	@Override
	public String insertOrUpdate(String table, String columns, String rows, String key, String... assignments) {
		return "INSERT INTO %s (%s) %s ON DUPLICATE KEY UPDATE %s".formatted(table, columns, rows,
				String.join(", ", assignments));
	}

	@Override
	public String inserted(String column) {
		return "VALUES(%s)".formatted(column);
	}

	// With safe updates a session refuses what neither uses a key nor has a limit
	@Override
	public String limitOfChange() {
		return "LIMIT 10000";
	}

	@Override
	public String lockOf(String alias) {
		return this.locksByAlias ? "FOR UPDATE OF " + alias : "FOR UPDATE";
	}

	@Override
	public String inOrderOf(String expression) {
		return "";
	}

	@Override
	public String textOf(String encoded) {
		return ANY_TEXT.formatted("FROM_BASE64(%s)".formatted(encoded));
	}

	@Override
	public String textOfColumn() {
		return "FROM_BASE64(?)";
	}

	// The driver would write bytes as hexadecimal digits, one at a time
	@Override
	public String bytes() {
		return "FROM_BASE64(?)";
	}

	@Override
	public String utf8(String text) {
		return "CAST(%s AS BINARY)".formatted(text);
	}

	@Override
	public String beginning(String bytes, String length) {
		return "LEFT(%s, %s)".formatted(bytes, length);
	}

	@Override
	public String isHashOf(String hash, String key) {
		return "%s = CRC32(%s)".formatted(hash, key);
	}

	@Override
	public String hash(String key, String given) {
		return "CRC32(%s)".formatted(key);
	}

	@Override
	public String now() {
		return "UTC_TIMESTAMP(6)";
	}

	@Override
	public String minute() {
		return "TIMESTAMPADD(SECOND, -SECOND(UTC_TIMESTAMP()), UTC_TIMESTAMP())";
	}

	@Override
	public String never() {
		return "'9999-12-31'";
	}

	@Override
	public String epoch() {
		return "'1970-01-01'";
	}

	@Override
	public String timeOf(Instant time) {
		return after(String.valueOf(time.getEpochSecond() * 1_000_000 + time.getNano() / 1_000),
				"CAST('1970-01-01' AS DATETIME(6))");
	}

	@Override
	public String after(String micros, String time) {
		return "TIMESTAMPADD(MICROSECOND, %s, %s)".formatted(micros, time);
	}

	@Override
	public String between(String from, String to) {
		return "TIMESTAMPDIFF(MICROSECOND, %s, %s)".formatted(from, to);
	}

	@Override
	public String textOfTime(String time) {
		return "CAST(%s AS CHAR)".formatted(time);
	}

	@Override
	public String isoTextOfTime(String time) {
		return "DATE_FORMAT(%s, '%%Y-%%m-%%dT%%H:%%i:%%s.%%fZ')".formatted(time);
	}

	@Override
	public String timeOfText() {
		return "CAST(? AS DATETIME(6))";
	}

	@Override
	public String commentOn(String table) {
		return "table_comment FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = '%s'"
			.formatted(table);
	}

	@Override
	public String estimateOf(String table) {
		return "EXPLAIN FORMAT=TRADITIONAL SELECT id FROM " + table;
	}

	@Override
	public String connection() {
		return "CONNECTION_ID()";
	}

	@Override
	public String readOnly() {
		return "@@GLOBAL.read_only";
	}

}
