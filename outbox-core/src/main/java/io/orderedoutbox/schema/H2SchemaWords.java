/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.schema;

import java.sql.SQLException;
import java.util.Collection;
import java.util.Locale;

import org.springframework.dao.DataAccessException;

/**
 * The words of H2. Texts are equal only if all bytes are, but where a column or the whole
 * database says otherwise: only then a collation has a name here.
 */
final class H2SchemaWords extends SchemaWords {

	H2SchemaWords() {
		super("");
	}

	@Override
	String columns(Collection<String> tables) {
		return """
				SELECT table_name, column_name, CASE WHEN UPPER(data_type) = 'VARCHAR_IGNORECASE' THEN data_type
				WHEN collation_name <> 'OFF' THEN collation_name END, FALSE FROM information_schema.columns
				WHERE table_schema = CURRENT_SCHEMA AND UPPER(table_name) IN (%s) ORDER BY table_name, ordinal_position"""
			.formatted(literals(tables).toUpperCase(Locale.ROOT));
	}

	@Override
	String indexes(Collection<String> tables) {
		return """
				SELECT c.table_name, c.column_name,
				CASE WHEN i.index_type_name = 'PRIMARY KEY' THEN 'PRIMARY' ELSE c.index_name END, FALSE
				FROM information_schema.index_columns c JOIN information_schema.indexes i
				ON i.index_schema = c.index_schema AND i.index_name = c.index_name
				WHERE c.table_schema = CURRENT_SCHEMA AND UPPER(c.table_name) IN (%s)
				ORDER BY c.table_name, c.index_name, c.ordinal_position"""
			.formatted(literals(tables).toUpperCase(Locale.ROOT));
	}

	@Override
	String comment(String table) {
		return "SELECT remarks FROM information_schema.tables WHERE table_schema = CURRENT_SCHEMA AND UPPER(table_name) = UPPER('%s')"
			.formatted(table);
	}

	@Override
	String changeColumn(String table, ColumnDefinition column) {
		return "ALTER TABLE %s ALTER COLUMN %s SET DATA TYPE %s".formatted(table, column.name(), column.type());
	}

	@Override
	String changePrimaryKey(String table, IndexDefinition key) {
		return "ALTER TABLE %1$s DROP PRIMARY KEY; ALTER TABLE %1$s ADD PRIMARY KEY (%2$s)".formatted(table,
				String.join(", ", key.columns()));
	}

	@Override
	String changeIndex(String table, IndexDefinition index) {
		return "DROP INDEX %s; %s".formatted(index.name(), index.statement());
	}

	@Override
	String instantly(String statement) {
		return statement;
	}

	@Override
	String limitWait() {
		return "SET @outbox_lock_wait = LOCK_TIMEOUT(); SET LOCK_TIMEOUT 1000";
	}

	@Override
	String restoreWait() {
		return "SET LOCK_TIMEOUT @outbox_lock_wait; SET @outbox_lock_wait = NULL";
	}

	// For Spring it is a query that has taken too long
	@Override
	boolean isWaitOver(DataAccessException ex) {
		return super.isWaitOver(ex)
				|| (ex.getCause() instanceof SQLException cause && "HYT00".equals(cause.getSQLState()));
	}

}
