/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads what the statements of a script say about tables. It understands the form in
 * which our scripts are written: a column, or a key, in a line of its own.
 */
final class TableParser {

	private static final Pattern TABLE = Pattern.compile("CREATE TABLE IF NOT EXISTS (\\w+) \\(\\R(.*?)\\R\\).*",
			Pattern.DOTALL);

	private static final Pattern INDEX = Pattern
		.compile("CREATE (?:UNIQUE )?INDEX IF NOT EXISTS (\\w+) ON (\\w+) \\(([\\w, ]+)\\).*", Pattern.DOTALL);

	private static final Pattern PRIMARY_KEY = Pattern.compile("PRIMARY KEY \\(([\\w, ]+)\\)");

	private static final Pattern KEY = Pattern.compile("(?:UNIQUE )?KEY (\\w+) \\(([\\w, ]+)\\)");

	private static final Pattern SPACES = Pattern.compile("\\s+");

	private final List<String> statements;

	TableParser(List<String> statements) {
		this.statements = statements;
	}

	static boolean creates(String statement, String table) {
		return Stream.of(TABLE.matcher(statement), INDEX.matcher(statement))
			.anyMatch((matcher) -> matcher.matches()
					&& matcher.group((matcher.pattern() == TABLE) ? 1 : 2).equals(table));
	}

	/** Whether a statement makes an index of one of some tables that are made apart. */
	static boolean indexes(String statement, Predicate<String> tables) {
		Matcher index = INDEX.matcher(statement);
		return index.matches() && tables.test(index.group(2));
	}

	List<TableDefinition> tables() {
		List<TableDefinition> tables = new ArrayList<>();
		for (String statement : this.statements) {
			Matcher table = TABLE.matcher(statement);
			if (table.matches()) {
				tables.add(table(table.group(1), table.group(2).lines().map(TableParser::trimmed).toList()));
			}
		}
		return tables;
	}

	private static String trimmed(String line) {
		String text = SPACES.matcher(line.strip()).replaceAll(" ");
		return text.endsWith(",") ? text.substring(0, text.length() - 1) : text;
	}

	private TableDefinition table(String table, List<String> lines) {
		List<ColumnDefinition> columns = new ArrayList<>();
		List<IndexDefinition> indexes = new ArrayList<>();
		for (String line : lines) {
			Matcher primary = PRIMARY_KEY.matcher(line);
			Matcher key = KEY.matcher(line);
			String add = "ALTER TABLE %s ADD %s".formatted(table, line);
			if (primary.matches()) {
				indexes.add(new IndexDefinition(IndexDefinition.PRIMARY, names(primary.group(1)), add));
			}
			else if (key.matches()) {
				indexes.add(new IndexDefinition(key.group(1), names(key.group(2)), add));
			}
			else {
				String column = line.substring(0, line.indexOf(' ')).replace("`", "");
				columns.add(new ColumnDefinition(column, line));
				if (line.contains(" PRIMARY KEY")) {
					indexes.add(new IndexDefinition(IndexDefinition.PRIMARY, List.of(column),
							"ALTER TABLE %s ADD PRIMARY KEY (%s)".formatted(table, column)));
				}
			}
		}
		this.statements.stream()
			.map(INDEX::matcher)
			.filter((index) -> index.matches() && index.group(2).equals(table))
			.forEach((index) -> indexes
				.add(new IndexDefinition(index.group(1), names(index.group(3)), index.group().strip())));
		return new TableDefinition(table, columns, indexes);
	}

	private static List<String> names(String list) {
		return List.of(list.split(",\\s*"));
	}

}
