/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish.key;

import io.orderedoutbox.OutboxPublicationException;
import org.jspecify.annotations.Nullable;

/**
 * A member of an event has a type that is not on the class path, so that the JVM tells
 * nothing about the members of this kind.
 */
final class MissingTypeException extends OutboxPublicationException {

	private static final long serialVersionUID = 1L;

	private MissingTypeException(Class<?> type, String missing, Throwable cause) {
		super("Event %s cannot be searched for its @PartitionKey, because the class %s is missing, which one of its members needs: add its library to the class path, or move the member to another type"
			.formatted(type.getName(), missing), cause);
	}

	/**
	 * Return the exception to throw, which is the failure itself if that has another
	 * reason.
	 */
	static RuntimeException of(Class<?> type, Throwable failure) {
		String missing = missing(failure);
		if (missing != null) {
			return new MissingTypeException(type, missing, failure);
		}
		if (failure instanceof RuntimeException ex) {
			return ex;
		}
		throw (Error) failure;
	}

	private static @Nullable String missing(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof NoClassDefFoundError && cause.getMessage() != null) {
				return cause.getMessage().replace('/', '.');
			}
		}
		return null;
	}

}
