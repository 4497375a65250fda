/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.dialect;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * {@link SessionSettings} of MySQL and MariaDB.
 */
final class MySqlSettings {

	private MySqlSettings() {
	}

	/**
	 * The settings for a server.
	 * @param isolation what it calls the isolation of the transactions of a session
	 * @param readOnly what it calls whether they may only read
	 * @param timeLimit what it calls the time after which it gives up a statement
	 */
	static SessionSettings of(String isolation, String readOnly, String timeLimit) {
		Map<String, String> values = new LinkedHashMap<>();
		values.put("wait_timeout", "?");
		values.put(isolation, "'READ-COMMITTED'");
		values.put(readOnly, "0");
		values.put("completion_type", "0");
		// Nothing is cut or changed to fit a column. MySQL warns of a strict mode without
		// the other three
		values.put("sql_mode", "'STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO'");
		// What is sent to the server is ASCII, but what it sends is not
		values.put("character_set_results", "utf8mb4");
		values.put("collation_connection", "utf8mb4_bin");
		// All rows, of any statement, however long it takes
		values.put("sql_select_limit", "18446744073709551615");
		values.put("sql_big_selects", "1");
		values.put("sql_safe_updates", "0");
		values.put(timeLimit, "0");
		// What others have locked does not keep a claim, or a verb, from its other work
		values.put("innodb_lock_wait_timeout", "3");
		return of(values);
	}

	/**
	 * No setting but the time after which a server gives up a statement.
	 * @param timeLimit what the server calls it
	 */
	static SessionSettings ofTimeLimit(String timeLimit) {
		return of(Map.of(timeLimit, "?"));
	}

	private static SessionSettings of(Map<String, String> values) {
		return new SessionSettings(
				"SET " + each(values, "@outbox_%1$s = @@SESSION.%1$s") + ", " + each(values, "SESSION %s = %s"),
				"SET " + each(values, "SESSION %1$s = @outbox_%1$s") + ", " + each(values, "@outbox_%s = NULL"), false);
	}

	private static String each(Map<String, String> values, String template) {
		return values.entrySet()
			.stream()
			.map((setting) -> template.formatted(setting.getKey(), setting.getValue()))
			.collect(Collectors.joining(", "));
	}

}
