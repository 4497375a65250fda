/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.server;

import java.util.Locale;

/**
 * The databases that the suite can run on.
 */
public enum DatabaseKind {

	/** A MySQL that {@code scripts/services} runs. */
	MYSQL,

	/** A MariaDB from a Maven artifact. */
	MARIADB,

	/** A PostgreSQL that {@code scripts/services} runs. */
	POSTGRESQL;

	/**
	 * Return the database with a name.
	 * @param name the name, as in the option of the suite
	 * @return the database
	 * @throws IllegalArgumentException if there is no such database
	 */
	public static DatabaseKind of(String name) {
		for (DatabaseKind kind : values()) {
			if (kind.service().equals(name)) {
				return kind;
			}
		}
		throw new IllegalArgumentException(
				"The suite runs on mysql, mariadb and postgresql, and not on '%s'".formatted(name));
	}

	/**
	 * Return the name of the database, for {@code scripts/services} and its messages.
	 */
	String service() {
		return name().toLowerCase(Locale.ROOT);
	}

	DatabaseWords words() {
		return (this == POSTGRESQL) ? new PostgreSqlWords() : new MySqlWords();
	}

	// Of MySQL, and of MariaDB that lets every user in
	String administrator() {
		return (this == POSTGRESQL) ? PrivateServers.USER : "root";
	}

	PrivateDatabase in(ServicesScript script, int port) {
		return (this == MARIADB) ? new PrivateMariaDb() : new ScriptedDatabase(script, service(), port);
	}

}
