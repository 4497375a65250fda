/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import io.orderedoutbox.send.TransportException;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.NonTransientDataAccessException;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.UncategorizedDataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Why a worker could not claim, send or complete.
 */
public enum WorkFailure {

	/**
	 * The broker cannot be reached, or was lost.
	 */
	BROKER_OUTAGE,

	/**
	 * The store cannot be reached, or was lost, or cannot work for a while.
	 */
	STORE_OUTAGE,

	/**
	 * Any other failure: it will not pass by itself. A store that answers, but not as it
	 * should, was reached.
	 */
	UNFORESEEN;

	/**
	 * Tell which kind a failure is of.
	 * @param failure what the work has thrown
	 * @return the kind
	 */
	public static WorkFailure of(Throwable failure) {
		if (failure instanceof TransportException) {
			return BROKER_OUTAGE;
		}
		if (failure instanceof TransactionException) {
			return STORE_OUTAGE;
		}
		return (failure instanceof DataAccessException && !isRefusal(failure)) ? STORE_OUTAGE : UNFORESEEN;
	}

	/**
	 * Whether the store was reached and has refused to do what it was asked for.
	 */
	static boolean isRefusal(Throwable failure) {
		return failure instanceof NonTransientDataAccessException
				&& !(failure instanceof NonTransientDataAccessResourceException)
				&& !(failure instanceof UncategorizedDataAccessException);
	}

	/**
	 * Whether the broker or the store could not be reached.
	 * @return whether it is an outage, which passes
	 */
	public boolean isOutage() {
		return this != UNFORESEEN;
	}

}
