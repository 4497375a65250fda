/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.dialect;

import java.io.ByteArrayInputStream;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The words of H2, which mean the same in all of its modes that are supported. It joins a
 * list by a lookup in an index for each entry, and locks what it returns, in the order in
 * which it finds that.
 */
record H2Fragments() implements SqlFragments, H2Times {

	// What a bound text or bytes may be long
	private static final int LONGEST = 1 << 20;

	// Longer than any message. H2 counts to the end, which must be a number
	private static final int LONGEST_BEGINNING = 1 << 30;

	@Override
	public String listOf(String json, String... columns) {
		return IntStream.range(0, columns.length)
			.mapToObj((index) -> column(index + 1, columns[index].split(" ")))
			.collect(Collectors.joining(", ", "(SELECT ", " FROM %s) w".formatted(rows(json))));
	}

	// Without its type, the elements of an unknown parameter would be NULL
	private static String rows(String json) {
		return "UNNEST(CAST(%s FORMAT JSON AS JSON)) e (v)".formatted(json);
	}

	// What is read of JSON as text has quotes, and no other value can be cast
	private static String column(int index, String[] nameAndType) {
		String value = "NULLIF(CAST(e.v[%d] AS VARCHAR), 'null')".formatted(index);
		return nameAndType[1].equals("TEXT") ? "TRIM(BOTH '\"' FROM %s) AS %s".formatted(value, nameAndType[0])
				: "CAST(%s AS %s) AS %s".formatted(value, nameAndType[1], nameAndType[0]);
	}

	@Override
	public String idsOf(String json) {
		return "(SELECT CAST(CAST(e.v AS VARCHAR) AS BIGINT) AS id FROM %s) w".formatted(rows(json));
	}

	// MERGE fails where its source is a join. So there all that is set is computed in the
	// source, which knows no more than the list and what is joined to it
	@Override
	public String update(String source, String table, String alias, String condition, String... assignments) {
		if (!source.contains(" JOIN ")) {
			return merge(table, alias, source, condition, List.of(assignments));
		}
		List<String[]> parts = Arrays.stream(assignments).map((assignment) -> assignment.split(" = ", 2)).toList();
		String computed = parts.stream()
			.map((part) -> ", %s AS new_%s".formatted(part[1], part[0]))
			.collect(Collectors.joining("", "(SELECT w.*", " FROM %s) w".formatted(source)));
		return merge(table, alias, computed, condition,
				parts.stream().map((part) -> "%1$s = w.new_%1$s".formatted(part[0])).toList());
	}

	private static String merge(String table, String alias, String source, String condition, List<String> assignments) {
		return "MERGE INTO %s %s USING %s ON %s WHEN MATCHED THEN UPDATE SET %s".formatted(table, alias, source,
				condition, String.join(", ", assignments));
	}

	@Override
	public String delete(String source, String table, String alias, String condition) {
		return "MERGE INTO %s %s USING %s ON %s WHEN MATCHED THEN DELETE".formatted(table, alias, source, condition);
	}

	@Override
	public String insertOrUpdate(String table, String columns, String rows, String key, String... assignments) {
		String condition = Arrays.stream(key.split(", "))
			.map((column) -> "%s.%s = n.%2$s".formatted(table, column))
			.collect(Collectors.joining(" AND "));
		String values = Arrays.stream(columns.split(", ")).map(this::inserted).collect(Collectors.joining(", "));
		return "MERGE INTO %1$s USING (%2$s) n (%3$s) ON %4$s WHEN MATCHED THEN UPDATE SET %5$s WHEN NOT MATCHED THEN INSERT (%3$s) VALUES (%6$s)"
			.formatted(table, rows, columns, condition, String.join(", ", assignments), values);
	}

	@Override
	public String inserted(String column) {
		return "n." + column;
	}

	// MINUTE is a word of H2. In these quotes a name is in any case, as without
	@Override
	public String column(String name) {
		return "`" + name + "`";
	}

	@Override
	public String parameter(String type) {
		return "CAST(? AS %s)".formatted(type);
	}

	// What is not a table cannot be locked, and is not. H2 locks as it reads, in the
	// order of the list, and sorts after that
	@Override
	public String lockOf(String alias) {
		return "FOR UPDATE";
	}

	// Four digits for each character: H2 has no Base64
	@Override
	public String encoded(String text) {
		StringBuilder digits = new StringBuilder(text.length() * 4);
		text.chars().forEach((character) -> digits.append(HexFormat.of().toHexDigits((char) character)));
		return digits.toString();
	}

	@Override
	public String textOf(String encoded) {
		return "HEXTORAW(%s)".formatted(encoded);
	}

	@Override
	public String bytes() {
		return "?";
	}

	@Override
	public void bind(PreparedStatement statement, int parameter, byte[] bytes) throws SQLException {
		if (bytes.length <= LONGEST) {
			statement.setBytes(parameter, bytes);
		}
		else {
			statement.setBinaryStream(parameter, new ByteArrayInputStream(bytes), bytes.length);
		}
	}

	@Override
	public String utf8(String text) {
		return "STRINGTOUTF8(%s)".formatted(text);
	}

	@Override
	public String beginning(String bytes, String length) {
		return "SUBSTRING(%s FROM 1 FOR LEAST(CAST(%s AS INTEGER), %d))".formatted(bytes, length, LONGEST_BEGINNING);
	}

	@Override
	public String commentOn(String table) {
		return "COALESCE(MAX(remarks), '') FROM " + thisTable(table);
	}

	@Override
	public String estimateOf(String table) {
		return "SELECT row_count_estimate AS rows FROM " + thisTable(table);
	}

	private static String thisTable(String table) {
		return "information_schema.tables WHERE table_schema = CURRENT_SCHEMA AND UPPER(table_name) = UPPER('%s')"
			.formatted(table);
	}

	// There is one process, and its tables end with it
	@Override
	public String server() {
		return "DATABASE()";
	}

	@Override
	public String connection() {
		return "SESSION_ID()";
	}

	@Override
	public String readOnly() {
		return "READONLY()";
	}

}
