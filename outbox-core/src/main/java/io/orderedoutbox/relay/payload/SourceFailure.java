/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.payload;

import io.orderedoutbox.payload.PayloadSource;
import io.orderedoutbox.payload.PayloadUnavailableException;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.NonTransientDataAccessException;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.dao.UncategorizedDataAccessException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionTimedOutException;

/**
 * What the exception of a {@link PayloadSource} tells of its cause.
 */
enum SourceFailure {

	/**
	 * The source cannot be reached, or cannot work for a while: references have nothing
	 * to do with it.
	 */
	OUTAGE,

	/**
	 * The source may be away, or may fail with one of the references. A database closes
	 * the connection when a row is larger than a packet may be, and a damaged row has a
	 * state that Spring does not know.
	 */
	UNCLEAR,

	/**
	 * The source was reached, and refuses a reference.
	 */
	REFUSAL;

	static SourceFailure of(RuntimeException failure) {
		if (failure instanceof PayloadUnavailableException || failure instanceof CannotCreateTransactionException
				|| failure instanceof TransactionTimedOutException || isPassing(failure)) {
			return OUTAGE;
		}
		boolean isUnclear = failure instanceof TransactionException
				|| (failure instanceof DataAccessException && !isRefusal(failure));
		return isUnclear ? UNCLEAR : REFUSAL;
	}

	// A lock, or a time-out: to ask in halves would take as long again
	private static boolean isPassing(RuntimeException failure) {
		return failure instanceof TransientDataAccessException
				&& !(failure instanceof TransientDataAccessResourceException);
	}

	// A database that has refused a statement was reached
	private static boolean isRefusal(RuntimeException failure) {
		return failure instanceof NonTransientDataAccessException
				&& !(failure instanceof NonTransientDataAccessResourceException)
				&& !(failure instanceof UncategorizedDataAccessException);
	}

}
