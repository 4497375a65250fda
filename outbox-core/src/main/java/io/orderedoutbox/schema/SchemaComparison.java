/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.orderedoutbox.schema.Difference.Kind;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Compares the tables of a database with those that a script creates: tables, columns,
 * indexes and collations, each by itself. What is there besides, it does not mind.
 */
public final class SchemaComparison {

	private final SchemaScript script;

	private final SchemaDialect dialect;

	private final Set<String> distinct;

	/**
	 * Create a comparison.
	 * @param script creates the tables as they should be
	 * @param dialect what the database speaks
	 * @param distinct the names of columns in which different texts must differ
	 */
	public SchemaComparison(SchemaScript script, SchemaDialect dialect, Set<String> distinct) {
		this.script = script;
		this.dialect = dialect;
		this.distinct = distinct;
	}

	/**
	 * Compare.
	 * @param jdbc a template on a connection
	 * @return the differences, in the order of the script
	 */
	public List<Difference> differences(JdbcTemplate jdbc) {
		List<TableDefinition> tables = this.script.tables();
		InstalledTables installed = InstalledTables.read(jdbc, this.dialect,
				tables.stream().map(TableDefinition::name).toList());
		List<Difference> differences = new ArrayList<>();
		for (TableDefinition table : tables) {
			if (installed.contains(table.name())) {
				columns(table, installed, differences);
				indexes(table, installed, differences);
				collations(table, installed, differences);
			}
			else {
				differences.add(new Difference(table.name(), "table '%s' is missing".formatted(table.name()),
						String.join(";\n", this.script.creating(table.name()).toList()), Kind.TABLE));
			}
		}
		return differences;
	}

	private void columns(TableDefinition table, InstalledTables installed, List<Difference> differences) {
		table.columns()
			.stream()
			.filter((column) -> !installed.hasColumn(table.name(), column.name()))
			.map((column) -> new Difference(table.name(),
					"table '%s' has no column '%s'".formatted(table.name(), column.name()),
					this.dialect.words().addColumn(table.name(), column),
					column.isAddable() ? Kind.ADDABLE_COLUMN : Kind.COLUMN))
			.forEach(differences::add);
	}

	private void indexes(TableDefinition table, InstalledTables installed, List<Difference> differences) {
		for (IndexDefinition index : table.indexes()) {
			List<String> columns = installed.index(table.name(), index.name());
			if (columns.isEmpty()) {
				differences.add(new Difference(table.name(), "table '%s' has no %s".formatted(table.name(), index),
						index.statement(), Kind.INDEX));
			}
			else if (!columns.equals(index.columns())) {
				differences.add(new Difference(table.name(),
						"table '%s' has no %s, but one with that name over (%s)".formatted(table.name(), index,
								String.join(", ", columns)),
						index.isPrimary() ? this.dialect.words().changePrimaryKey(table.name(), index)
								: this.dialect.words().changeIndex(table.name(), index),
						Kind.INDEX));
			}
		}
	}

	private void collations(TableDefinition table, InstalledTables installed, List<Difference> differences) {
		for (ColumnDefinition column : table.columns()) {
			String collation = installed.collation(table.name(), column.name());
			if (this.distinct.contains(column.name()) && collation != null
					&& !this.dialect.words().isDistinct(collation) && !collation.equals(column.collation())) {
				differences.add(new Difference(table.name(),
						"column '%s' of table '%s' has the collation %s, in which different texts are equal"
							.formatted(column.name(), table.name(), collation),
						this.dialect.words().changeColumn(table.name(), column), Kind.COLLATION));
			}
		}
	}

}
