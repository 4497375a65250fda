/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.orderedoutbox.jdbc.dialect.Dialect;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What the optimizer of a database says about statements.
 */
public final class Explain {

	private final JdbcClient jdbc;

	private final Dialect dialect;

	public Explain(JdbcClient jdbc, Dialect dialect) {
		this.jdbc = jdbc;
		this.dialect = dialect;
	}

	/**
	 * How each table is read, by its alias: the type of the access and the index. Lists
	 * of ids and derived tables are left out, and so is what is only written.
	 */
	public Map<String, String> accesses(String statement, Object... arguments) {
		Map<String, String> accesses = new LinkedHashMap<>();
		String explain = (this.dialect == Dialect.MYSQL) ? "EXPLAIN FORMAT = TRADITIONAL " : "EXPLAIN ";
		for (Map<String, Object> row : query(explain + statement, arguments)) {
			String table = String.valueOf(row.get("table"));
			boolean written = "INSERT".equals(row.get("select_type"));
			if (!table.equals("w") && !table.startsWith("<") && !written && row.get("type") != null) {
				accesses.putIfAbsent(table, row.get("type") + " " + row.get("key"));
			}
		}
		return accesses;
	}

	private List<Map<String, Object>> query(String statement, Object... arguments) {
		return this.jdbc.sql(statement).params(arguments).query().listOfRows();
	}

	/**
	 * The steps of a statement on MySQL, without carrying it out.
	 */
	public String tree(String statement, Object... arguments) {
		return single("EXPLAIN FORMAT = TREE " + statement, arguments);
	}

	/**
	 * Carry out a statement, and tell what it read. MySQL cannot do that for an INSERT
	 * and only tells what it would read. MySQL does not change rows, MariaDB does.
	 */
	public MeasuredPlan measure(String statement, Object... arguments) {
		if (this.dialect == Dialect.MARIADB) {
			return MeasuredPlan.ofMariaDb(single("ANALYZE FORMAT = JSON " + statement, arguments));
		}
		return MeasuredPlan.ofMySql(statement.startsWith("INSERT") ? tree(statement, arguments)
				: single("EXPLAIN ANALYZE " + statement, arguments));
	}

	private String single(String statement, Object... arguments) {
		return this.jdbc.sql(statement).params(arguments).query(String.class).single();
	}

}
