package io.orderedoutbox.jdbc;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * {@link SessionSettings} of PostgreSQL. What the session had is kept in parameters of
 * the library's own.
 */
final class PostgreSqlSettings {

	private static final String KEPT = "'outbox.kept_%s'";

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
		String keep = each(values, "set_config(" + KEPT + ", current_setting('%1$s'), false)");
		String set = each(values, "set_config('%1$s', %2$s, false)");
		String giveBack = each(values, "set_config('%1$s', current_setting(" + KEPT + "), false)");
		String forget = each(values, "set_config(" + KEPT + ", '', false)");
		return new SessionSettings("SELECT " + keep + ", " + set, "SELECT " + giveBack + ", " + forget, true);
	}

	private static String each(Map<String, String> values, String template) {
		return values.entrySet()
			.stream()
			.map((setting) -> template.replace("%s", "%1$s").formatted(setting.getKey(), setting.getValue()))
			.collect(Collectors.joining(", "));
	}

}
