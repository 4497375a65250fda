/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.schema;

import java.util.Collection;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.PessimisticLockingFailureException;

/**
 * How a database tells of its tables, and how they are changed there: the words of MySQL
 * and MariaDB, where no other says something else.
 */
class SchemaWords {

	private final Pattern distinct;

	/**
	 * Create them.
	 * @param distinct the collations in which a text is equal to no other
	 */
	SchemaWords(String distinct) {
		this.distinct = Pattern.compile(distinct);
	}

	/**
	 * The columns of tables: table, column, collation, and whether the server tells
	 * tables apart by the case of their names. Limited, or the session would do so.
	 */
	String columns(Collection<String> tables) {
		return """
				SELECT /*+ MAX_EXECUTION_TIME(60000) SET_VAR(sql_big_selects = ON) */
				table_name, column_name, collation_name, @@lower_case_table_names = 0
				FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name IN (%s)
				ORDER BY table_name, ordinal_position LIMIT 10000""".formatted(literals(tables));
	}

	/**
	 * The columns of the indexes of tables, in their order: table, column, index, and
	 * whether the server tells tables apart by the case of their names.
	 */
	String indexes(Collection<String> tables) {
		return """
				SELECT /*+ MAX_EXECUTION_TIME(60000) SET_VAR(sql_big_selects = ON) */
				table_name, column_name, index_name, @@lower_case_table_names = 0
				FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name IN (%s)
				ORDER BY table_name, index_name, seq_in_index LIMIT 10000""".formatted(literals(tables));
	}

	/** The comment on a table. */
	String comment(String table) {
		return """
				SELECT /*+ MAX_EXECUTION_TIME(60000) SET_VAR(sql_big_selects = ON) */ table_comment
				FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = '%s'"""
			.formatted(table);
	}

	static String literals(Collection<String> names) {
		return names.stream().map((name) -> "'" + name + "'").collect(Collectors.joining(", "));
	}

	/** Whether a text is equal to no other in a collation. */
	boolean isDistinct(String collation) {
		return this.distinct.matcher(collation).matches();
	}

	/** Adds a column. */
	String addColumn(String table, ColumnDefinition column) {
		return "ALTER TABLE %s ADD COLUMN %s".formatted(table, column.definition());
	}

	/** Changes a column that is there. */
	String changeColumn(String table, ColumnDefinition column) {
		return "ALTER TABLE %s MODIFY COLUMN %s".formatted(table, column.definition());
	}

	/** Gives a table another primary key. */
	String changePrimaryKey(String table, IndexDefinition key) {
		return "ALTER TABLE %s DROP PRIMARY KEY, ADD PRIMARY KEY (%s)".formatted(table,
				String.join(", ", key.columns()));
	}

	/** Makes an index with the same name again. */
	String changeIndex(String table, IndexDefinition index) {
		return "ALTER TABLE %s DROP KEY %s".formatted(table, index.name())
				+ index.statement().substring(("ALTER TABLE " + table).length()).replaceFirst(" ADD", ", ADD");
	}

	/** A statement that fails if the server cannot carry it out at once. */
	String instantly(String statement) {
		return statement + ", ALGORITHM=INSTANT";
	}

	/** Whether a statement has waited for a table for as long as it may. */
	boolean isWaitOver(DataAccessException ex) {
		return ex instanceof PessimisticLockingFailureException;
	}

	/** Lets statements of the session wait a second, and no longer, for a table. */
	String limitWait() {
		return "SET @outbox_lock_wait_timeout = @@SESSION.lock_wait_timeout, SESSION lock_wait_timeout = 1";
	}

	/** Gives the session back how long it waits. */
	String restoreWait() {
		return "SET SESSION lock_wait_timeout = @outbox_lock_wait_timeout, @outbox_lock_wait_timeout = NULL";
	}

}
