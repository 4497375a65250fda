/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The words of H2, which mean the same in all of its modes that are supported. Driver and
 * database are one process, where no session converts a text: it is bound as it is.
 */
record H2InboxSql() implements InboxSql {

	private static final Lock CREATION = new ReentrantLock();

	@Override
	public String encode(String text) {
		return text;
	}

	@Override
	public String decode(String encoded) {
		return encoded;
	}

	@Override
	public String consumer() {
		return "?";
	}

	@Override
	public String text() {
		return "?";
	}

	@Override
	public String encoded(String column) {
		return column;
	}

	@Override
	public String now() {
		return "CURRENT_TIMESTAMP(6)";
	}

	@Override
	public String fromNow() {
		return "DATEADD(MICROSECOND, ?, CURRENT_TIMESTAMP(6))";
	}

	@Override
	public String age(String time) {
		return "DATEDIFF(MICROSECOND, %s, CURRENT_TIMESTAMP(6))".formatted(time);
	}

	@Override
	public String micros(String time) {
		return "DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00', %s)".formatted(time);
	}

	@Override
	public String fromEpoch() {
		return "DATEADD(MICROSECOND, ?, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00')";
	}

	@Override
	public String look() {
		return "SELECT ";
	}

	// Waits for a transaction that is about to store the same. A key that is there undoes
	// the statement alone
	@Override
	public String insert(String table, String columns, String values) {
		return "INSERT INTO %s (%s) VALUES (%s)".formatted(table, columns, values);
	}

	// MERGE would fail as well if another transaction has stored the same meanwhile
	@Override
	public String add(String table, String columns, String values, String same) {
		return insert(table, columns, values);
	}

	// Its DELETE has no ORDER BY: it reads the index of the column in its order, or all
	// rows if they are few. A list of the first ones would be made anew for each row
	@Override
	public String deleteFirst(String table, String condition, String order) {
		return "DELETE FROM %s WHERE %s LIMIT ?".formatted(table, condition);
	}

	// There is no lock that a session takes by a name. Of two that delete the same rows
	// one waits for the other, and finds them gone
	@Override
	public String tryLock(String table) {
		return "SELECT 1";
	}

	@Override
	public String release(String table) {
		return "SELECT 1";
	}

	// One that makes an index that another one is making fails. They are in one process
	@Override
	public void create(JdbcTemplate jdbc, String table, Runnable creation) {
		CREATION.lock();
		try {
			creation.run();
		}
		finally {
			CREATION.unlock();
		}
	}

	// With IGNORECASE, a column has another type
	@Override
	public String distinct(String table) {
		return """
				SELECT COUNT(*) FROM information_schema.index_columns k JOIN information_schema.indexes i
				ON i.index_schema = k.index_schema AND i.index_name = k.index_name AND i.table_name = k.table_name
				JOIN information_schema.columns c
				ON c.table_schema = k.table_schema AND c.table_name = k.table_name AND c.column_name = k.column_name
				WHERE k.table_schema = CURRENT_SCHEMA AND UPPER(k.table_name) = UPPER('%s')
				AND UPPER(i.index_type_name) = 'PRIMARY KEY' AND UPPER(k.column_name) IN ('CONSUMER', 'MESSAGE_ID')
				AND UPPER(c.data_type) = 'CHARACTER VARYING' AND c.collation_name = 'OFF'""".formatted(table);
	}

}
