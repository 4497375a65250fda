/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.dialect;

import java.util.Collection;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * {@link ServerQuestions} to H2, which is a library in the process of the application.
 */
record H2Questions() implements ServerQuestions {

	@Override
	public String commitsByItself() {
		return "TRUE";
	}

	@Override
	public String isReplicable() {
		return "TRUE";
	}

	// Of a database in memory nothing at all survives, and nothing is forgotten before
	@Override
	public String isDurable() {
		return """
				COALESCE(DATABASE_PATH() IS NULL OR (SELECT MAX(setting_value) FROM information_schema.settings
				WHERE setting_name = 'WRITE_DELAY') = '0', FALSE)""";
	}

	@Override
	public String durableSettings() {
		return "WRITE_DELAY=0 in the URL";
	}

	@Override
	public String defect(String prefix) {
		return """
				'the positions of %1$smessage.id do not count up one by one' FROM information_schema.columns
				WHERE table_schema = CURRENT_SCHEMA AND UPPER(table_name) = UPPER('%1$smessage') AND UPPER(column_name) = 'ID'
				AND (identity_increment IS NULL OR identity_increment <> 1 OR identity_cycle <> 'NO')"""
			.formatted(prefix);
	}

	@Override
	public String whichDatabase() {
		return "CONCAT_WS(' ', DATABASE_PATH(), DATABASE(), CURRENT_SCHEMA)";
	}

	@Override
	public String columns(Collection<String> tables) {
		String names = tables.stream()
			.map((table) -> "'" + table.toUpperCase(Locale.ROOT) + "'")
			.collect(Collectors.joining(", "));
		return """
				table_name, column_name, NULL, FALSE FROM information_schema.columns
				WHERE table_schema = CURRENT_SCHEMA AND UPPER(table_name) IN (%s)
				ORDER BY table_name, ordinal_position LIMIT 10000""".formatted(names);
	}

	// There is no such lock. Each statement of the script can be carried out twice at the
	// same time
	@Override
	public String lock(String name) {
		return "SELECT 1";
	}

	@Override
	public String unlock(String name) {
		return "SELECT 1";
	}

}
