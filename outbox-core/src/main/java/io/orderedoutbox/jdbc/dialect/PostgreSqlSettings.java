/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.dialect;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * {@link SessionSettings} of PostgreSQL. What the session had is kept in parameters of
 * the library's own.
 */
final class PostgreSqlSettings {

	private static final String KEPT = "'outbox.kept_%1$s'";

	private static final String SINCE_17 = "transaction_timeout";

	private PostgreSqlSettings() {
	}

	static SessionSettings ofSession() {
		Map<String, String> values = new LinkedHashMap<>();
		// A host that has vanished keeps its locks no longer
		values.put("idle_in_transaction_session_timeout", "? || 's'");
		values.put("default_transaction_isolation", "'read committed'");
		values.put("default_transaction_read_only", "'off'");
		values.put("default_transaction_deferrable", "'off'");
		// However long a statement takes
		values.put("statement_timeout", "'0'");
		// However long a claim takes
		values.put(SINCE_17, "'0'");
		// What others have locked does not keep a claim, or a verb, from its other work
		values.put("lock_timeout", "'3s'");
		// What has been sent is not there again after a crash of the server
		values.put("synchronous_commit",
				"CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END");
		// Rows are found by indexes, whatever the server last counted in a table that
		// fills
		// and empties
		for (String way : List.of("seqscan", "bitmapscan", "hashjoin", "mergejoin", "material")) {
			values.put("enable_" + way, "'off'");
		}
		values.put("jit", "'off'");
		return of(values);
	}

	/**
	 * No setting but the time after which a server gives up a statement.
	 */
	static SessionSettings ofTimeLimit() {
		return of(Map.of("statement_timeout", "? || 's'"));
	}

	private static SessionSettings of(Map<String, String> values) {
		String keep = each(values, (name, value) -> "set_config(%s, current_setting('%s', true), false)"
			.formatted(KEPT.formatted(name), name));
		String set = each(values, PostgreSqlSettings::set);
		String giveBack = each(values,
				(name, value) -> set(name, "current_setting(%s)".formatted(KEPT.formatted(name))));
		String forget = each(values, (name, value) -> "set_config(%s, '', false)".formatted(KEPT.formatted(name)));
		return new SessionSettings("SELECT " + keep + ", " + set, "SELECT " + giveBack + ", " + forget, true);
	}

	private static String set(String name, String value) {
		String set = "set_config('%s', %s, false)".formatted(name, value);
		return name.equals(SINCE_17)
				? "CASE WHEN current_setting('%s', true) IS NOT NULL THEN %s END".formatted(name, set) : set;
	}

	private static String each(Map<String, String> values, BiFunction<String, String, String> statement) {
		return values.entrySet()
			.stream()
			.map((setting) -> statement.apply(setting.getKey(), setting.getValue()))
			.collect(Collectors.joining(", "));
	}

}
