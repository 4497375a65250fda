/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.orderedoutbox.OutboxConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Checks the tables that are there by their columns, as the server describes them: that
 * none of the tables belongs to something else, that they are no older than this version,
 * and that their text columns can hold any text.
 */
final class ColumnCheck {

	// By these a table is known as one of the outbox. No other table may have the name,
	// not even that of a table that may be missing: the script would leave it as it is
	private static final Map<String, List<String>> OWN = new TreeMap<>(Map.ofEntries(
			Map.entry("message", List.of("id", "message_id", "partition_key")),
			Map.entry("parked", List.of("lane", "partition_id")),
			Map.entry("dead_letter", List.of("id", "message_id", "position")),
			Map.entry("archive", List.of("id", "message_id", "position")),
			Map.entry("partition", List.of("id", "retry_at")), Map.entry("stripe", List.of("id")),
			Map.entry("instance", List.of("id", "heartbeat_at")), Map.entry("worker", List.of("id", "instance")),
			Map.entry("throughput", List.of("minute", "published")), Map.entry("pause", List.of("id", "paused_at")),
			Map.entry("audit", List.of("id", "verb", "done_at"))));

	private static final Set<String> ASCII = Set.of("id", "instance", "message_id", "name", "sending", "state", "verb");

	private static final Set<String> TEXT = Set.of("content_type", "error", "exchange", "headers", "host", "last_error",
			"operator", "partition_key", "routing_key", "selection");

	private final OutboxDatabase database;

	private final CheckStatements statements;

	ColumnCheck(OutboxDatabase database, CheckStatements statements) {
		this.database = database;
		this.statements = statements;
	}

	/**
	 * Check the tables that are there.
	 * @param jdbc a template on a connection
	 * @throws OutboxConfigurationException if something is not as it should be
	 */
	void run(JdbcTemplate jdbc) {
		List<Column> columns = read(jdbc);
		Map<String, List<String>> tables = columns.stream()
			.collect(Collectors.groupingBy(Column::table, TreeMap::new,
					Collectors.mapping(Column::name, Collectors.toList())));
		tables.forEach(this::requireOwn);
		requireMigrated(tables.getOrDefault("message", List.of("lane")));
		columns.forEach(this::requireCharacterSet);
	}

	private List<Column> read(JdbcTemplate jdbc) {
		List<Column> columns = new ArrayList<>();
		jdbc.query(this.statements.columns(OWN.keySet()), (row) -> {
			String name = row.getString(1);
			boolean caseMatters = row.getBoolean(4);
			String column = row.getString(2).toLowerCase(Locale.ROOT);
			String characterSet = row.getString(3);
			used().filter((table) -> caseMatters ? name(table).equals(name) : name(table).equalsIgnoreCase(name))
				.forEach((table) -> columns.add(new Column(table, column, characterSet)));
		});
		return columns;
	}

	private Stream<String> used() {
		return OWN.keySet().stream().filter((table) -> !table.equals("archive") || this.database.isArchiving());
	}

	private void requireOwn(String table, List<String> columns) {
		List<String> missing = OWN.getOrDefault(table, List.of())
			.stream()
			.filter((column) -> !columns.contains(column))
			.toList();
		if (!missing.isEmpty()) {
			throw new OutboxConfigurationException(
					"Table '%s' belongs to something else than the outbox: it has no column '%s'."
						.formatted(name(table), String.join("', '", missing)),
					"Set outbox.jdbc.table-prefix to something with which no other table of this schema begins. If the table is one of the outbox that was changed by hand, make it as in %s again."
						.formatted(script()));
		}
	}

	private void requireMigrated(List<String> columns) {
		if (!columns.contains("lane")) {
			throw new OutboxConfigurationException(
					"The tables of the outbox were made by an older version: '%s' has no column 'lane'."
						.formatted(name("message")),
					"Stop all instances and migrate the tables with migration-1-to-2-%s.sql (in package io.orderedoutbox.jdbc of the library): docs/migration.md."
						.formatted(this.database.dialect().platform()));
		}
	}

	private void requireCharacterSet(Column column) {
		if (column.characterSet() != null && !column.characterSets().contains(column.characterSet())) {
			throw new OutboxConfigurationException(
					"Column '%s' of table '%s' has the character set %s instead of %s: other text would come out of it than was put in."
						.formatted(column.name(), name(column.table()), column.characterSet(),
								column.characterSets().stream().findFirst().orElse("none")),
					"Give it the type, character set and collation that it has in %s, and look whether what is stored in it is still right."
						.formatted(script()));
		}
	}

	private String name(String table) {
		return this.database.tablePrefix() + table;
	}

	private String script() {
		return "schema-%s.sql (in package io.orderedoutbox.jdbc of the library)"
			.formatted(this.database.dialect().platform());
	}

	/**
	 * A column of a table that is there.
	 *
	 * @param table what the name of the table ends with
	 * @param name its name
	 * @param characterSet the character set, unless the column holds no text
	 */
	private record Column(String table, String name, @Nullable String characterSet) {

		// Bytes that are stored as text are converted when they are read
		List<String> characterSets() {
			if (this.name.equals("payload")) {
				return List.of();
			}
			if (ASCII.contains(this.name)) {
				return List.of("ascii", "utf8mb4");
			}
			return TEXT.contains(this.name) ? List.of("utf8mb4") : List.of(String.valueOf(this.characterSet));
		}

	}

}
