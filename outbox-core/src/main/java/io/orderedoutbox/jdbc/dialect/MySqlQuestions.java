/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.dialect;

import java.util.Collection;
import java.util.stream.Collectors;

/**
 * {@link ServerQuestions} to MySQL and MariaDB.
 *
 * @param identity what tells a server from any other, whichever of the two has copied the
 * other
 */
record MySqlQuestions(String identity) implements ServerQuestions {

	private static final String LOCK = "SELECT /*+ MAX_EXECUTION_TIME(70000) */ %s_LOCK(CONCAT('outbox:', LEFT(SHA2(CONCAT(COALESCE(DATABASE(), ''), '.%s'), 256), 40))%s)";

	@Override
	public String commitsByItself() {
		return "@@SESSION.autocommit";
	}

	@Override
	public String isReplicable() {
		return "@@GLOBAL.log_bin = 0 OR @@SESSION.binlog_format <> 'STATEMENT'";
	}

	@Override
	public String isDurable() {
		return "@@GLOBAL.innodb_flush_log_at_trx_commit = 1 AND (@@GLOBAL.log_bin = 0 OR @@GLOBAL.sync_binlog = 1)";
	}

	@Override
	public String durableSettings() {
		return "innodb_flush_log_at_trx_commit=1, and with a binary log sync_binlog=1";
	}

	// A statement that names an index fails without it
	@Override
	public String defect(String prefix) {
		return "'' FROM DUAL WHERE FALSE";
	}

	@Override
	public String whichDatabase() {
		return """
				CONCAT_WS(' ', HEX(IF(@@lower_case_table_names = 0, DATABASE(), LOWER(DATABASE()))), %s)
				FOR UPDATE""".formatted(this.identity);
	}

	@Override
	public String columns(Collection<String> tables) {
		String names = tables.stream().map((table) -> "'" + table + "'").collect(Collectors.joining(", "));
		return """
				table_name, column_name, character_set_name, @@lower_case_table_names = 0
				FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name IN (%s)
				ORDER BY table_name, ordinal_position LIMIT 10000""".formatted(names);
	}

	@Override
	public String lock(String name) {
		return LOCK.formatted("GET", name, ", 60");
	}

	@Override
	public String unlock(String name) {
		return LOCK.formatted("RELEASE", name, "");
	}

}
