/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when an event is refused at the call. Nothing of it has been stored.
 */
public class OutboxPublicationException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param message what is wrong and what to do about it
	 */
	public OutboxPublicationException(String message) {
		super(message);
	}

	/**
	 * Create an exception with a cause.
	 * @param message what is wrong and what to do about it
	 * @param cause the cause
	 */
	public OutboxPublicationException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
