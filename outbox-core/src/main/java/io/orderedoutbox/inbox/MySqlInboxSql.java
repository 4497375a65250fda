/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

/**
 * The words of MySQL and MariaDB.
 */
record MySqlInboxSql() implements InboxSql {

	private static final String LOCK = "CONCAT('inbox:', LEFT(SHA2(CONCAT(COALESCE(DATABASE(), ''), '.%s'), 256), 40))";

	@Override
	public String consumer() {
		return "CONVERT(FROM_BASE64(?) USING ascii)";
	}

	@Override
	public String text() {
		return "CONVERT(FROM_BASE64(?) USING utf8mb4)";
	}

	@Override
	public String encoded(String column) {
		return "TO_BASE64(%s)".formatted(column);
	}

	@Override
	public String now() {
		return "UTC_TIMESTAMP(6)";
	}

	@Override
	public String fromNow() {
		return "TIMESTAMPADD(MICROSECOND, ?, UTC_TIMESTAMP(6))";
	}

	@Override
	public String age(String time) {
		return "TIMESTAMPDIFF(MICROSECOND, %s, UTC_TIMESTAMP(6))".formatted(time);
	}

	@Override
	public String micros(String time) {
		return "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', %s)".formatted(time);
	}

	@Override
	public String fromEpoch() {
		return "TIMESTAMPADD(MICROSECOND, ?, TIMESTAMP '1970-01-01 00:00:00')";
	}

	@Override
	public String look() {
		return "SELECT /*+ MAX_EXECUTION_TIME(4000) SET_VAR(sql_big_selects = ON) */ ";
	}

	@Override
	public String insert(String table, String columns, String values) {
		return "INSERT INTO %s (%s) VALUES (%s)".formatted(table, columns, values);
	}

	// IGNORE would hide other errors
	@Override
	public String add(String table, String columns, String values, String same) {
		return insert(table, columns, values) + " ON DUPLICATE KEY UPDATE %1$s = %1$s".formatted(same);
	}

	@Override
	public String deleteFirst(String table, String condition, String order) {
		return "DELETE FROM %s WHERE %s ORDER BY %s LIMIT ?".formatted(table, condition, order);
	}

	@Override
	public String tryLock(String table) {
		return "SELECT GET_LOCK(%s, 0)".formatted(LOCK.formatted(table));
	}

	@Override
	public String release(String table) {
		return "SELECT RELEASE_LOCK(%s)".formatted(LOCK.formatted(table));
	}

	@Override
	public String distinct(String table) {
		return """
				SELECT COUNT(*) FROM information_schema.statistics s JOIN information_schema.columns c
				ON c.table_schema = s.table_schema AND c.table_name = s.table_name AND c.column_name = s.column_name
				WHERE s.table_schema = DATABASE() AND s.table_name = '%s' AND s.index_name = 'PRIMARY'
				AND (s.column_name = 'consumer' OR c.data_type = 'varbinary'
				OR c.collation_name IN ('utf8mb4_0900_bin', 'utf8mb4_nopad_bin'))""".formatted(table);
	}

}
