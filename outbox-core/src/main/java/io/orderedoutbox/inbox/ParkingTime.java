/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

import java.time.Instant;
import java.time.format.DateTimeParseException;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * In which range of time keys were parked: a key is parked since its first dead letter
 * became one.
 *
 * @param from the first instant, {@code null} for the beginning
 * @param until the first instant that is too late, {@code null} for no end
 */
public record ParkingTime(@Nullable Instant from, @Nullable Instant until) {

	/**
	 * At any time.
	 */
	public static final ParkingTime ANY = new ParkingTime(null, null);

	private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

	/**
	 * Create a range.
	 * @throws IllegalArgumentException if it ends before it begins
	 */
	public ParkingTime {
		Assert.isTrue(from == null || until == null || from.isBefore(until),
				() -> "'from' must be before 'until', but is %s, and 'until' is %s".formatted(from, until));
	}

	/**
	 * Read a range.
	 * @param from the first instant, such as 2026-11-22T01:02:03Z, if there is one
	 * @param until the first instant that is too late, if there is one
	 * @return the range
	 * @throws IllegalArgumentException if that makes no sense
	 */
	public static ParkingTime of(@Nullable String from, @Nullable String until) {
		return new ParkingTime(instant("from", from), instant("until", until));
	}

	private static @Nullable Instant instant(String name, @Nullable String value) {
		try {
			return (value != null) ? Instant.parse(value) : null;
		}
		catch (DateTimeParseException ex) {
			throw new IllegalArgumentException(
					"'%s' must be a time such as 2026-11-22T01:02:03Z, but is '%s'".formatted(name, value), ex);
		}
	}

	/**
	 * Return whether a time is in it, as a condition that binds nothing.
	 * @param sql writes what each database has a form of its own for
	 * @param time the column with the time
	 * @return the condition
	 */
	public String condition(InboxSql sql, String time) {
		String begin = (this.from != null) ? " AND %s >= %d".formatted(sql.micros(time), micros(this.from)) : "";
		String end = (this.until != null) ? " AND %s < %d".formatted(sql.micros(time), micros(this.until)) : "";
		return "TRUE" + begin + end;
	}

	// Java 17 counts microseconds in nanoseconds, of which a long has not enough
	private static long micros(Instant time) {
		Instant held = time.isBefore(Instant.EPOCH) ? Instant.EPOCH : time.isAfter(LAST) ? LAST : time;
		return held.getEpochSecond() * 1_000_000 + held.getNano() / 1_000;
	}

}
