/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.admin;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * When something has happened to the messages that an operator means, by the clock of the
 * database.
 *
 * @param from the first instant, {@code null} for the beginning
 * @param until the first instant that is too late, {@code null} for no end
 */
public record TimeRange(@Nullable Instant from, @Nullable Instant until) {

	/**
	 * At any time.
	 */
	public static final TimeRange ALWAYS = new TimeRange(null, null);

	/**
	 * Create a range.
	 * @throws IllegalArgumentException if it ends before it begins
	 */
	public TimeRange {
		Assert.isTrue(from == null || until == null || from.isBefore(until),
				() -> "'from' must be before 'until', but is %s, and 'until' is %s".formatted(from, until));
	}

	/**
	 * Return a range without an end.
	 * @param from the first instant
	 * @return the range
	 */
	public static TimeRange since(Instant from) {
		return new TimeRange(from, null);
	}

	/**
	 * Return a range.
	 * @param from the first instant
	 * @param until the first instant that is too late
	 * @return the range
	 */
	public static TimeRange between(Instant from, Instant until) {
		return new TimeRange(from, until);
	}

	/**
	 * Return whether every time is in it.
	 * @return {@code true} if there is neither a beginning nor an end
	 */
	public boolean isAlways() {
		return this.from == null && this.until == null;
	}

	/**
	 * Return how the range is named in logs.
	 */
	@Override
	public String toString() {
		String begin = (this.from != null) ? "from " + this.from : "";
		String end = (this.until != null) ? "until " + this.until : "";
		return isAlways() ? "at any time" : (begin + " " + end).strip();
	}

}
