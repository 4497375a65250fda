/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link OneShotRelay} has done.
 *
 * @param ending why it ended
 * @param error what went wrong, if it ended because of that
 * @param totals how many messages it had to do with
 * @param workers how many threads there were
 * @param duration how long it took
 */
public record OneShotResult(Ending ending, @Nullable String error, Totals totals, int workers, Duration duration) {

	/**
	 * Why the relay ended.
	 */
	public enum Ending {

		/**
		 * Nothing was due any more but what other relays had claimed.
		 */
		DRAINED,

		/**
		 * The relay has sent as many messages as it may.
		 */
		LIMIT,

		/**
		 * The time of the relay was up.
		 */
		TIME_LIMIT,

		/**
		 * The relay was told to end.
		 */
		STOPPED,

		/**
		 * Broker or database could not be reached, or were lost on the way.
		 */
		UNREACHABLE,

		/**
		 * A worker failed, and not because of broker or database being away.
		 */
		BROKEN

	}

	/**
	 * How many there were.
	 *
	 * @param batches claims
	 * @param claimed messages claimed, counted once for each claim
	 * @param published messages that the broker has taken
	 * @param failed messages that failed, or were not tried because what they go to is
	 * paused, and were not published later after all
	 */
	public record Totals(int batches, long claimed, long published, long failed) {

	}

}
