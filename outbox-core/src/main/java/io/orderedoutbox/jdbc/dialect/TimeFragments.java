/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.dialect;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * What each database calls times, and what is done with them. All times are those of the
 * database, and no time zone of a session has a say.
 */
public interface TimeFragments {

	/** The last time that a column can hold. */
	Instant LAST = Instant.parse("9999-12-31T00:00:00Z");

	/** The time by which everything is decided. */
	String now();

	/** The time at which the current minute has begun. */
	String minute();

	/** When a blocked key is due. */
	default String never() {
		return timeOf(LAST);
	}

	/** The epoch. */
	default String epoch() {
		return timeOf(Instant.EPOCH);
	}

	/** A time some microseconds after another. */
	String after(String micros, String time);

	/** A time, of those that a column can hold. */
	default String time(Instant time) {
		return timeOf(time.isBefore(Instant.EPOCH) ? Instant.EPOCH : time.isAfter(LAST) ? LAST : time);
	}

	/** A time that a column can hold. */
	String timeOf(Instant time);

	/**
	 * Whether a time is in a range. The condition binds nothing, and follows another one.
	 * @param from the first time, {@code null} for no beginning
	 * @param until the first time that is too late, {@code null} for no end
	 */
	default String during(String column, @Nullable Instant from, @Nullable Instant until) {
		String begin = (from != null) ? " AND %s >= %s".formatted(column, time(from)) : "";
		String end = (until != null) ? " AND %s < %s".formatted(column, time(until)) : "";
		return begin + end;
	}

	/**
	 * Whether a message {@code m} is delayed. One that has failed has been sent before,
	 * and its key says when it is tried again. One whose two times are the same never
	 * was, whatever the clock says now.
	 */
	default String delayed() {
		return "(m.failed_at IS NULL AND m.available_at > m.created_at AND m.available_at > " + now() + ")";
	}

	/** The microseconds from one time to another. */
	String between(String from, String to);

	/** The microseconds from the epoch to a time. */
	default String micros(String time) {
		return between(epoch(), time);
	}

	/** A time as text that {@link #timeOfText} understands. */
	String textOfTime(String time);

	/** A time as text of ISO 8601, in UTC. */
	String isoTextOfTime(String time);

	/** A time, of a parameter that is text. */
	String timeOfText();

}
