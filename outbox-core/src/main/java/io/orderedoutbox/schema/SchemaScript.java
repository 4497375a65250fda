/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.schema;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.springframework.core.io.Resource;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A script that creates tables: a text of statements, each of which ends with a semicolon
 * at the end of a line, and can be repeated.
 *
 * @param text the script
 */
public record SchemaScript(String text) {

	private static final Pattern COMMENT = Pattern.compile("(?m)^\\s*--.*\\R?");

	private static final Pattern END = Pattern.compile(";[ \\t]*(?:\\R|\\z)");

	/**
	 * Read a script.
	 * @param script where it is, in UTF-8
	 * @return the script
	 */
	public static SchemaScript of(Resource script) {
		try {
			return new SchemaScript(script.getContentAsString(StandardCharsets.UTF_8));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The script " + script + " could not be read", ex);
		}
	}

	/**
	 * Return the script with a changed text.
	 * @param change what changes it
	 * @return the changed script
	 */
	public SchemaScript changed(UnaryOperator<String> change) {
		return new SchemaScript(change.apply(this.text));
	}

	/**
	 * Return the statements of the script, without comments.
	 * @return the statements, in their order, without semicolons
	 */
	public List<String> statements() {
		return END.splitAsStream(COMMENT.matcher(this.text).replaceAll(""))
			.map(String::strip)
			.filter((statement) -> !statement.isEmpty())
			.toList();
	}

	/**
	 * Return the script without the indexes of tables that are there. Nobody can write to
	 * a table while one is made, so that one that is missing is left to a migration tool.
	 * @param jdbc a template on a connection
	 * @param dialect what the database speaks
	 * @return a script that makes missing tables, and leaves the others as they are
	 */
	public SchemaScript ofMissingTables(JdbcTemplate jdbc, SchemaDialect dialect) {
		List<String> names = tables().stream().map(TableDefinition::name).toList();
		if (statements().stream().noneMatch((statement) -> TableParser.indexes(statement, names::contains))) {
			return this;
		}
		InstalledTables installed = InstalledTables.read(jdbc, dialect, names);
		String missing = this.text;
		for (String statement : statements()) {
			if (TableParser.indexes(statement, installed::contains)) {
				missing = missing.replace(statement + ";", "");
			}
		}
		return new SchemaScript(missing);
	}

	/**
	 * The tables that the script creates.
	 */
	List<TableDefinition> tables() {
		return new TableParser(statements()).tables();
	}

	/**
	 * The statements that create one table, with its indexes.
	 */
	Stream<String> creating(String table) {
		return statements().stream().filter((statement) -> TableParser.creates(statement, table));
	}

}
