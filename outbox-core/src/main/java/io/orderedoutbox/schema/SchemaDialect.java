/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.schema;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.orderedoutbox.OutboxConfigurationException;

/**
 * What a database speaks when it is asked for its tables. The names are those of the
 * platforms in the locations of scripts.
 */
@SuppressWarnings("ImmutableEnumChecker") // all of it are texts
public enum SchemaDialect {

	/**
	 * MySQL.
	 */
	MYSQL(new SchemaWords("utf8mb4_0900_bin|binary")),

	/**
	 * MariaDB.
	 */
	MARIADB(new SchemaWords("(utf8mb4|ascii)_nopad_bin|binary")),

	/**
	 * PostgreSQL.
	 */
	POSTGRESQL(new PostgreSqlSchemaWords()),

	/**
	 * H2.
	 */
	H2(new H2SchemaWords());

	private final SchemaWords words;

	SchemaDialect(SchemaWords words) {
		this.words = words;
	}

	/**
	 * How it tells of its tables, and how they are changed.
	 */
	SchemaWords words() {
		return this.words;
	}

	/**
	 * Return the dialect of a platform.
	 * @param platform its name
	 * @return the dialect
	 */
	public static SchemaDialect of(String platform) {
		for (SchemaDialect dialect : values()) {
			if (dialect.platform().equals(platform)) {
				return dialect;
			}
		}
		throw new OutboxConfigurationException("There are no scripts for the platform '%s'.".formatted(platform),
				"Use one of those that there are scripts for: %s.".formatted(
						Stream.of(values()).map(SchemaDialect::platform).sorted().collect(Collectors.joining(", "))));
	}

	/**
	 * Return the name of the platform in the locations of scripts.
	 * @return the name
	 */
	public String platform() {
		return name().toLowerCase(Locale.ROOT);
	}

}
