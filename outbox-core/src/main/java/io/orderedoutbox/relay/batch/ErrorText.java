/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.TransactionException;

/**
 * Makes the text of an error fit to be stored and shown: no control characters, nothing
 * that breaks or turns a line, no broken surrogates, and not too long.
 */
public final class ErrorText {

	private static final Logger logger = LoggerFactory.getLogger(ErrorText.class);

	private static final int MAX_LENGTH = 1000;

	private ErrorText() {
	}

	/**
	 * The class and the message of any error. An error that an application throws can
	 * fail when it is asked for its message.
	 */
	public static String of(Throwable error) {
		String text = null;
		try {
			text = error.toString();
		}
		catch (RuntimeException ex) {
			logger.debug("An error cannot tell its message", ex);
		}
		return (text != null) ? bounded(text) : error.getClass().getName();
	}

	/**
	 * What an operator reads: the message alone of a failure of broker or store, which
	 * says what happened, and of any other the class as well, without which its message
	 * may say nothing.
	 */
	public static String inWords(Throwable error) {
		String message = WorkFailure.of(error).isOutage() ? message(error) : null;
		return (message != null && !message.isBlank()) ? bounded(message) : of(error);
	}

	// Spring says what it was doing, of which nobody but a developer makes anything, and
	// then what the database said; of a transaction that could not begin only the first
	private static @Nullable String message(Throwable outage) {
		String message = outage.getMessage();
		String cause = (outage.getCause() != null) ? outage.getCause().getMessage() : null;
		if (message == null || cause == null) {
			return message;
		}
		return (outage instanceof TransactionException) ? message + ": " + cause
				: message.endsWith("; " + cause) ? cause : message;
	}

	static String bounded(String text) {
		byte[] encodable = text.getBytes(StandardCharsets.UTF_8);
		String clean = new String(encodable, StandardCharsets.UTF_8)
			.replaceAll("[\\p{Cc}\\u2028-\\u202E\\u2066-\\u2069]", " ");
		if (clean.codePointCount(0, clean.length()) <= MAX_LENGTH) {
			return clean;
		}
		return clean.substring(0, clean.offsetByCodePoints(0, MAX_LENGTH));
	}

}
