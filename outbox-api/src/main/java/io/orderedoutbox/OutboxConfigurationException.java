/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox;

import org.jspecify.annotations.Nullable;

/**
 * Thrown at start-up when the outbox cannot work with what it was given.
 */
public final class OutboxConfigurationException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String description;

	private final String remedy;

	/**
	 * Create an exception.
	 * @param description what is wrong, a sentence
	 * @param remedy what to do about it, a sentence or more
	 */
	public OutboxConfigurationException(String description, String remedy) {
		this(description, remedy, null);
	}

	/**
	 * Create an exception.
	 * @param description what is wrong, a sentence
	 * @param remedy what to do about it, a sentence or more
	 * @param cause how it was found out
	 */
	public OutboxConfigurationException(String description, String remedy, @Nullable Throwable cause) {
		super(description + " " + remedy, cause);
		this.description = description;
		this.remedy = remedy;
	}

	/**
	 * Return what is wrong.
	 * @return a sentence
	 */
	public String getDescription() {
		return this.description;
	}

	/**
	 * Return what to do about it.
	 * @return a sentence or more
	 */
	public String getRemedy() {
		return this.remedy;
	}

}
