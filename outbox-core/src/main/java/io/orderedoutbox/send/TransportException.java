/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.send;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the broker cannot be reached or was lost. No message is to blame.
 */
public final class TransportException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param message what happened
	 * @param cause the cause, if there is one
	 */
	public TransportException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
