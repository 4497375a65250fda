/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.payload;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when what a payload is made of cannot be had for now, such as a key server or a
 * storage that does not answer. The message is not to blame: it is tried again, and
 * spends no attempt. What will never be there again is another exception.
 */
public final class PayloadUnavailableException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param message what cannot be had, and why
	 * @param cause the cause, if there is one
	 */
	public PayloadUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
