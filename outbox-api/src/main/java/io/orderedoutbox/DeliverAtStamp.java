/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox;

import java.time.Instant;

/**
 * The time before which a message is not sent, by the clock of the database. If that time
 * has passed when the message is stored, the message does not wait.
 * <p>
 * The same is guaranteed as for a {@link DelayStamp}.
 *
 * @param time the time, before the year {@value #END_YEAR}
 */
public record DeliverAtStamp(Instant time) implements Stamp {

	/**
	 * The first year that is too late.
	 */
	public static final int END_YEAR = 9000;

	private static final Instant END = Instant.parse(END_YEAR + "-01-01T00:00:00Z");

	/**
	 * Create a stamp.
	 * @throws IllegalArgumentException if the time is null or too late
	 */
	public DeliverAtStamp {
		Require.that(time != null, "'time' must not be null");
		Require.that(time.isBefore(END),
				() -> "'time' must be before the year %d, but is %s".formatted(END_YEAR, time));
	}

	/**
	 * Return a stamp for the given time.
	 * @param time the time
	 * @return the stamp
	 */
	public static DeliverAtStamp of(Instant time) {
		return new DeliverAtStamp(time);
	}

}
