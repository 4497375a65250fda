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
 * The words of PostgreSQL. Texts are equal only if all bytes are, but in collations that
 * say otherwise: these alone have a name here.
 */
final class PostgreSqlSchemaWords extends SchemaWords {

	PostgreSqlSchemaWords() {
		super("");
	}

	@Override
	String columns(Collection<String> tables) {
		return """
				SELECT c.relname, a.attname, CASE WHEN l.collisdeterministic THEN NULL ELSE l.collname END, FALSE
				FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid LEFT JOIN pg_collation l ON l.oid = a.attcollation
				WHERE c.relname IN (%s) AND pg_table_is_visible(c.oid) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
				AND a.attnum > 0 AND NOT a.attisdropped ORDER BY c.relname, a.attnum"""
			.formatted(literals(tables).toLowerCase(Locale.ROOT));
	}

	@Override
	String indexes(Collection<String> tables) {
		return """
				SELECT c.relname, a.attname, CASE WHEN i.indisprimary THEN 'PRIMARY' ELSE n.relname END, FALSE
				FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class n ON n.oid = i.indexrelid
				CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY k (attnum, place)
				JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
				WHERE c.relname IN (%s) AND pg_table_is_visible(c.oid) AND i.indisvalid AND k.place <= i.indnkeyatts
				ORDER BY c.relname, n.relname, k.place""".formatted(literals(tables).toLowerCase(Locale.ROOT));
	}

	@Override
	String comment(String table) {
		return "SELECT COALESCE(obj_description(to_regclass('%s'), 'pg_class'), '')".formatted(table);
	}

	@Override
	String changeColumn(String table, ColumnDefinition column) {
		return "ALTER TABLE %s ALTER COLUMN %s TYPE %s".formatted(table, column.name(), column.type());
	}

	@Override
	String changePrimaryKey(String table, IndexDefinition key) {
		return "ALTER TABLE %1$s DROP CONSTRAINT %1$s_pkey, ADD PRIMARY KEY (%2$s)".formatted(table,
				String.join(", ", key.columns()));
	}

	@Override
	String changeIndex(String table, IndexDefinition index) {
		return "DROP INDEX %s; %s".formatted(index.name(), index.statement());
	}

	// It has no other way to add a column that may be null, or has a constant for a
	// default
	@Override
	String instantly(String statement) {
		return statement;
	}

	@Override
	String limitWait() {
		return "SELECT set_config('outbox.kept_lock_wait', current_setting('lock_timeout'), false), set_config('lock_timeout', '1s', false)";
	}

	@Override
	String restoreWait() {
		return "SELECT set_config('lock_timeout', current_setting('outbox.kept_lock_wait'), false)";
	}

	// Spring has no exception for it
	@Override
	boolean isWaitOver(DataAccessException ex) {
		return super.isWaitOver(ex)
				|| (ex.getMostSpecificCause() instanceof SQLException cause && "55P03".equals(cause.getSQLState()));
	}

}
