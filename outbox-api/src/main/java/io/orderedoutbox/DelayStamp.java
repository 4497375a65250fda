/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox;

import java.time.Duration;

/**
 * How long a message waits at least before it is sent, counted by the database from the
 * moment in which the message is stored, which is just before the commit.
 * <p>
 * Guaranteed: no relay sends the message earlier by the clock of the database, unless an
 * operator releases it. In ordered mode everything behind the message in its partition
 * key waits with it. Not guaranteed: that it leaves at that moment; a relay looks for
 * what has become due once in a poll interval.
 *
 * @param delay for how long, at most {@value #MAX_DAYS} days; zero for not at all
 * @see DeliverAtStamp
 */
public record DelayStamp(Duration delay) implements Stamp {

	/**
	 * Longest delay, in days.
	 */
	public static final long MAX_DAYS = 36_500;

	/**
	 * Create a stamp.
	 * @throws IllegalArgumentException if the delay is null, negative or too long
	 */
	public DelayStamp {
		Require.that(delay != null, "'delay' must not be null");
		Require.that(!delay.isNegative() && delay.compareTo(Duration.ofDays(MAX_DAYS)) <= 0,
				() -> "'delay' must be between zero and %d days, but is %s".formatted(MAX_DAYS, delay));
	}

	/**
	 * Return a stamp for the given delay.
	 * @param delay the delay
	 * @return the stamp
	 */
	public static DelayStamp of(Duration delay) {
		return new DelayStamp(delay);
	}

}
