/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

import java.sql.SQLException;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.support.PersistenceExceptionTranslator;

/**
 * Tells failures that another transaction has caused, and that another attempt may not
 * have: a deadlock, a lock that was waited for too long, a row that was changed after it
 * was read. Works that use a driver, jOOQ or an {@code EntityManager} throw them in their
 * own exceptions, so each cause counts.
 *
 * @param translator knows exceptions of a persistence provider that have no
 * {@link SQLException} as a cause, as that of an optimistic lock
 */
record LockFailures(PersistenceExceptionTranslator translator) {

	// A timeout of a lock, a row that was changed after a snapshot of MariaDB, a
	// deadlock. Of H2 a timeout of a lock, for Spring a query that took too long
	private static final Set<Integer> CODES = Set.of(1205, 1020, 1213, 50_200);

	// Of PostgreSQL: a timeout of a lock, a row that was changed after a snapshot (with
	// the same state a deadlock of H2), a deadlock
	private static final Set<String> STATES = Set.of("55P03", "40001", "40P01");

	// MariaDB says so with a number only, which Spring does not know without a file of
	// codes. PostgreSQL refuses what follows the error, and gives the error as the cause
	boolean contain(@Nullable Throwable failure) {
		return failure != null && (is(failure) || contain(failure.getCause()));
	}

	private boolean is(Throwable failure) {
		return failure instanceof ConcurrencyFailureException || (failure instanceof SQLException error
				&& (CODES.contains(error.getErrorCode()) || STATES.contains(String.valueOf(error.getSQLState()))))
				|| (failure instanceof RuntimeException ex
						&& this.translator.translateExceptionIfPossible(ex) instanceof ConcurrencyFailureException);
	}

}
