/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox;

/**
 * Thrown at the commit, when the events of a transaction could not be stored. The
 * transaction has been rolled back: neither its business data nor its events exist.
 */
public final class OutboxStoreException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param message what could not be stored
	 * @param cause the cause
	 */
	public OutboxStoreException(String message, Throwable cause) {
		super(message, cause);
	}

}
