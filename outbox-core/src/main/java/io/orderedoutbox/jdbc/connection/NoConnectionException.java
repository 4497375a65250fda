/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.connection;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import javax.net.ssl.SSLException;
import javax.sql.DataSource;

import org.springframework.dao.DataAccessResourceFailureException;

/**
 * Thrown when a data source gives no connection. The message says whether the database
 * cannot be reached, or answers and refuses, or whether the pool has none left; it names
 * the database and the user, and the innermost cause. It never contains a password.
 */
public final class NoConnectionException extends DataAccessResourceFailureException {

	private static final long serialVersionUID = 1L;

	// Databases that are none of MySQL's family have states only
	private static final Set<String> REFUSED_STATES = Set.of("28", "3D", "42");

	// Of MySQL and MariaDB: rights, passwords, names, hosts, and accounts that are
	// locked.
	// Most other codes, such as those for too many connections, are over by themselves
	private static final Set<Integer> REFUSED_CODES = Set.of(1044, 1045, 1049, 1130, 1251, 1698, 1820, 1862, 3118, 3159,
			3955, 4151);

	private final boolean refused;

	private NoConnectionException(String message, Throwable cause, boolean refused) {
		super(message, cause);
		this.refused = refused;
	}

	static NoConnectionException of(DataSource dataSource, Exception failure) {
		List<Throwable> causes = Stream.<Throwable>iterate(failure, Objects::nonNull, Throwable::getCause)
			.limit(20)
			.toList();
		boolean network = causes.stream().anyMatch(NoConnectionException::isOfNetwork);
		boolean refused = !network && causes.stream().anyMatch(NoConnectionException::isRefusal);
		String database = DatabaseName.of(dataSource);
		String template = "no connection to the database %s: %s";
		if (refused) {
			template = "the database %s refuses the connection: %s";
		}
		else if (network) {
			template = "the database %s cannot be reached: %s";
		}
		return new NoConnectionException(template.formatted(database, DatabaseName.withoutPassword(text(causes))),
				failure, refused);
	}

	/**
	 * Return whether the database was reached and does not let this user in: it will not
	 * until somebody changes something.
	 * @return whether it refuses
	 */
	public boolean isRefused() {
		return this.refused;
	}

	private static boolean isRefusal(Throwable cause) {
		if (!(cause instanceof SQLException sql)) {
			return false;
		}
		String state = sql.getSQLState();
		boolean isRefusedState = state != null && REFUSED_STATES.stream().anyMatch(state::startsWith);
		return (sql.getErrorCode() > 0) ? REFUSED_CODES.contains(sql.getErrorCode()) : isRefusedState;
	}

	// What fails to agree on encryption has been reached
	private static boolean isOfNetwork(Throwable cause) {
		return cause instanceof IOException && !(cause instanceof SSLException);
	}

	private static String text(List<Throwable> causes) {
		Throwable innermost = causes.stream()
			.filter((cause) -> cause.getMessage() != null)
			.reduce((outer, inner) -> inner)
			.orElse(causes.get(0));
		String message = String.valueOf(innermost.getMessage()).strip();
		return (innermost instanceof SQLException) ? message : innermost.getClass().getSimpleName() + ": " + message;
	}

}
