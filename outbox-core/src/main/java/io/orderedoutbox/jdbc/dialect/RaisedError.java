/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.dialect;

import java.sql.SQLException;
import java.util.Set;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;

/**
 * Tells errors for whose states Spring has no word: what a trigger raises because of the
 * row that it was shown, and a lock that was not to be had in time.
 */
public final class RaisedError {

	// Of MySQL's SIGNAL, and of PostgreSQL's RAISE
	private static final Set<String> STATES = Set.of("45", "P0");

	// Of PostgreSQL and of H2, when the time to wait for a lock is over
	private static final Set<String> LOCK_NOT_AVAILABLE = Set.of("55P03", "HYT00");

	private RaisedError() {
	}

	/**
	 * Return what a failure is.
	 * @param failure what Spring has made of it
	 * @return a refusal of a row if a trigger has raised it, a failure to lock if the
	 * time to wait for a lock was over, otherwise the failure itself
	 */
	public static DataAccessException translated(DataAccessException failure) {
		String state = (failure.getCause() instanceof SQLException cause) ? String.valueOf(cause.getSQLState()) : "";
		String message = failure.getMostSpecificCause().getMessage();
		if (LOCK_NOT_AVAILABLE.contains(state)) {
			return new CannotAcquireLockException(message, failure);
		}
		return STATES.stream().anyMatch(state::startsWith) ? new DataIntegrityViolationException(message, failure)
				: failure;
	}

}
