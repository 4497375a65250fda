/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.connection.DatabaseName;
import io.orderedoutbox.jdbc.dialect.Dialect;

import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.util.ClassUtils;

/**
 * H2 in memory: the one of those that Spring Boot calls embedded that can hold tables of
 * the library.
 */
public final class EmbeddedH2 {

	private EmbeddedH2() {
	}

	/**
	 * Return whether tables are in such a database. Any other one is not asked, so that
	 * an application can start before it.
	 * @param database where the tables are
	 * @return whether it is H2 in memory
	 */
	public static boolean holds(OutboxDatabase database) {
		String name = DatabaseName.of(database.dataSource());
		return (name.startsWith("jdbc:h2:") || !name.startsWith("jdbc:"))
				&& ClassUtils.isPresent("org.h2.Driver", EmbeddedH2.class.getClassLoader())
				&& EmbeddedDatabaseConnection.isEmbedded(database.dataSource()) && database.dialect() == Dialect.H2;
	}

}
