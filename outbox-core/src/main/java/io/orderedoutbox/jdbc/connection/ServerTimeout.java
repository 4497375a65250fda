/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.connection;

import java.sql.SQLException;
import java.util.Set;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.UncategorizedSQLException;

/**
 * Tells a query that the server has given up, because it took longer than it may. Spring
 * has no word for the codes.
 */
public final class ServerTimeout {

	// Of MySQL and of MariaDB
	private static final Set<Integer> CODES = Set.of(3024, 1969);

	private ServerTimeout() {
	}

	/**
	 * Return the exception of Spring for a statement that the server has ended because it
	 * took too long.
	 * @param failure what the statement has thrown
	 * @return the exception that says so, or the given one if it has another cause
	 */
	public static DataAccessException translated(UncategorizedSQLException failure) {
		boolean isTimeout = failure.getMostSpecificCause() instanceof SQLException cause
				&& CODES.contains(cause.getErrorCode());
		return isTimeout ? new QueryTimeoutException(failure.getMostSpecificCause().getMessage(), failure) : failure;
	}

}
