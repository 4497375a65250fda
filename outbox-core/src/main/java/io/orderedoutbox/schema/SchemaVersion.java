/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.schema;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.orderedoutbox.OutboxConfigurationException;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The version of tables, which the comment on one of them says: {@code outbox schema 2}.
 * It goes up with each change that an older version of the library cannot work with. A
 * table, a column or an index that is added is no such change.
 *
 * @param number the version, zero if the comment is another one
 */
public record SchemaVersion(int number) {

	private static final Pattern VERSION = Pattern.compile("(?:outbox|inbox) schema (\\d{1,6})\\b");

	/**
	 * Return the version that a script creates.
	 * @param script the script
	 * @return its version
	 */
	public static SchemaVersion of(SchemaScript script) {
		return in(script.text());
	}

	/**
	 * Return the version of tables that are there.
	 * @param jdbc a template on a connection
	 * @param dialect what the database speaks
	 * @param table the table with the comment
	 * @return its version, zero if there is no table, or it says none
	 */
	public static SchemaVersion of(JdbcTemplate jdbc, SchemaDialect dialect, String table) {
		List<String> comments = jdbc.queryForList(dialect.words().comment(table), String.class);
		return in(comments.isEmpty() ? "" : String.valueOf(comments.get(0)));
	}

	/**
	 * Refuse tables that a newer version has changed, so that this one cannot work with
	 * them.
	 * @param jdbc a template on a connection
	 * @param dialect what the database speaks
	 * @param script what this version creates
	 * @param table the table with the comment
	 * @throws OutboxConfigurationException if they are newer than the script
	 */
	public static void requireKnown(JdbcTemplate jdbc, SchemaDialect dialect, SchemaScript script, String table) {
		int known = of(script).number();
		int found = of(jdbc, dialect, table).number();
		if (found > known) {
			throw new OutboxConfigurationException(
					"Table '%s' says that it is of schema %d, and this version of the library works with schema %d."
						.formatted(table, found, known),
					"Use the version of the library that the tables were migrated for, on all instances.");
		}
	}

	private static SchemaVersion in(String text) {
		Matcher version = VERSION.matcher(text);
		return new SchemaVersion(version.find() ? Integer.parseInt(version.group(1)) : 0);
	}

}
