/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.dialect;

import java.util.Collection;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * {@link ServerQuestions} to PostgreSQL.
 */
record PostgreSqlQuestions() implements ServerQuestions {

	private static final String KEY = "hashtextextended(concat_ws('.', 'outbox', current_schema(), '%s'), 0)";

	// The server knows no session that does not
	@Override
	public String commitsByItself() {
		return "TRUE";
	}

	@Override
	public String isReplicable() {
		return "TRUE";
	}

	@Override
	public String isDurable() {
		return "current_setting('synchronous_commit') <> 'off' AND current_setting('fsync') = 'on' AND current_setting('full_page_writes') = 'on'";
	}

	@Override
	public String durableSettings() {
		return "synchronous_commit=on, fsync=on and full_page_writes=on";
	}

	// A session that takes positions ahead would give them to messages that commit later
	@Override
	public String defect(String prefix) {
		return """
				'its encoding is ' || current_setting('server_encoding') || ' instead of UTF8'
				WHERE current_setting('server_encoding') <> 'UTF8'
				UNION ALL SELECT 'the sequence of %1$smessage.id does not count up by one without a cache'
				FROM pg_sequence s WHERE s.seqrelid = to_regclass(pg_get_serial_sequence('%1$smessage', 'id'))
				AND (s.seqincrement <> 1 OR s.seqcache <> 1 OR s.seqcycle)
				UNION ALL SELECT 'nothing gives %1$smessage.id a value' WHERE pg_get_serial_sequence('%1$smessage', 'id') IS NULL"""
			.formatted(prefix);
	}

	@Override
	public String whichDatabase() {
		return """
				concat_ws(' ', (SELECT system_identifier FROM pg_control_system()), current_database(), current_schema(),
				pg_postmaster_start_time())""";
	}

	@Override
	public String columns(Collection<String> tables) {
		String names = tables.stream()
			.map((table) -> "'" + table.toLowerCase(Locale.ROOT) + "'")
			.collect(Collectors.joining(", "));
		return """
				c.relname, a.attname, NULL, FALSE FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
				WHERE c.relname IN (%s) AND pg_table_is_visible(c.oid) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
				AND a.attnum > 0 AND NOT a.attisdropped ORDER BY c.relname, a.attnum LIMIT 10000""".formatted(names);
	}

	// How long it waits is for the session to say
	@Override
	public String lock(String name) {
		return "SELECT 1 FROM pg_advisory_lock(" + KEY.formatted(name) + ")";
	}

	@Override
	public String unlock(String name) {
		return "SELECT CASE WHEN pg_advisory_unlock(" + KEY.formatted(name) + ") THEN 1 ELSE 0 END";
	}

}
