/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.schema;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The tables that are there, as the server describes them.
 */
final class InstalledTables {

	private final Map<String, Installed> tables = new HashMap<>();

	private InstalledTables() {
	}

	/**
	 * Ask for tables.
	 * @param jdbc a template on a connection
	 * @param dialect how to ask
	 * @param names their names
	 */
	static InstalledTables read(JdbcTemplate jdbc, SchemaDialect dialect, Collection<String> names) {
		InstalledTables tables = new InstalledTables();
		tables.each(jdbc, dialect.words().columns(names), names,
				(table, column, collation) -> table.columns.put(column, Optional.ofNullable(collation)));
		tables.each(jdbc, dialect.words().indexes(names), names,
				(table, column, index) -> table.indexes
					.computeIfAbsent(String.valueOf(index).toLowerCase(Locale.ROOT), (absent) -> new ArrayList<>())
					.add(column));
		return tables;
	}

	private void each(JdbcTemplate jdbc, String query, Collection<String> names, Row row) {
		jdbc.query(query, (rs) -> {
			String name = rs.getString(1);
			String column = rs.getString(2).toLowerCase(Locale.ROOT);
			String third = rs.getString(3);
			boolean caseMatters = rs.getBoolean(4);
			names.stream()
				.filter((known) -> caseMatters ? known.equals(name) : known.equalsIgnoreCase(name))
				.forEach((known) -> row.of(this.tables.computeIfAbsent(known, (absent) -> new Installed()), column,
						third));
		});
	}

	boolean contains(String table) {
		return this.tables.containsKey(table);
	}

	boolean hasColumn(String table, String column) {
		return table(table).columns.containsKey(column);
	}

	/**
	 * The collation of a column, {@code null} if it holds no text.
	 */
	@Nullable String collation(String table, String column) {
		return table(table).columns.getOrDefault(column, Optional.empty()).orElse(null);
	}

	/**
	 * The columns of an index, in their order, empty if there is no such index.
	 */
	List<String> index(String table, String index) {
		return table(table).indexes.getOrDefault(index.toLowerCase(Locale.ROOT), List.of());
	}

	private Installed table(String name) {
		return this.tables.getOrDefault(name, new Installed());
	}

	/**
	 * A table that is there.
	 */
	private static final class Installed {

		private final Map<String, Optional<String>> columns = new LinkedHashMap<>();

		private final Map<String, List<String>> indexes = new LinkedHashMap<>();

	}

	/**
	 * Takes a row of what the server says.
	 */
	@FunctionalInterface
	private interface Row {

		void of(Installed table, String column, @Nullable String third);

	}

}
