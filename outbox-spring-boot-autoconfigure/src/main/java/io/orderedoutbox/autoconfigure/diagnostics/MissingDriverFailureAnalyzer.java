/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.diagnostics;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.jdbc.DatabaseDriver;
import org.springframework.util.ClassUtils;

/**
 * Names the JDBC driver that is missing, and how to get it: the starter brings none,
 * since which one an application takes, and under which licence, is its own choice.
 * <p>
 * A pool that does not find the driver says so in a message, not by a type of exception.
 */
final class MissingDriverFailureAnalyzer implements FailureAnalyzer {

	private static final Map<DatabaseDriver, String> DEPENDENCIES = new EnumMap<>(Map.of(DatabaseDriver.MYSQL,
			"com.mysql:mysql-connector-j", DatabaseDriver.MARIADB, "org.mariadb.jdbc:mariadb-java-client",
			DatabaseDriver.POSTGRESQL, "org.postgresql:postgresql", DatabaseDriver.H2, "com.h2database:h2"));

	private final Predicate<String> onTheClassPath;

	MissingDriverFailureAnalyzer() {
		this((name) -> ClassUtils.isPresent(name, null));
	}

	MissingDriverFailureAnalyzer(Predicate<String> onTheClassPath) {
		this.onTheClassPath = onTheClassPath;
	}

	@Override
	public @Nullable FailureAnalysis analyze(Throwable failure) {
		return Stream.iterate(failure, (cause) -> cause != null, Throwable::getCause)
			.flatMap((cause) -> DEPENDENCIES.keySet()
				.stream()
				.filter((driver) -> isMissedBy(cause, driver))
				.map((driver) -> analysis(driver, cause)))
			.findFirst()
			.orElse(null);
	}

	private boolean isMissedBy(Throwable cause, DatabaseDriver driver) {
		String message = cause.getMessage();
		return message != null && message.contains("river")
				&& (message.contains(className(driver)) || message.contains("jdbc:" + driver.getId() + ":"))
				&& !this.onTheClassPath.test(className(driver));
	}

	private static FailureAnalysis analysis(DatabaseDriver missing, Throwable cause) {
		return new FailureAnalysis(
				"""
						The JDBC driver %s is not on the class path. The DataSource needs it for URLs that begin with jdbc:%s:, and \
						the outbox's starter brings no driver, so that the application can choose."""
					.formatted(className(missing), missing.getId()),
				"""
						Add the dependency %s with the scope runtime. If the database is another one, add its driver \
						and let spring.datasource.url begin as that driver wants it:

						    MySQL Connector/J    %s             jdbc:mysql:
						    MariaDB Connector/J  %s    jdbc:mariadb:
						    PostgreSQL           %s               jdbc:postgresql:""".formatted(
						DEPENDENCIES.get(missing), DEPENDENCIES.get(DatabaseDriver.MYSQL),
						DEPENDENCIES.get(DatabaseDriver.MARIADB), DEPENDENCIES.get(DatabaseDriver.POSTGRESQL)),
				cause);
	}

	private static String className(DatabaseDriver driver) {
		return String.valueOf(driver.getDriverClassName());
	}

}
