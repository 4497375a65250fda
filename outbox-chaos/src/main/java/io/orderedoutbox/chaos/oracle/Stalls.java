/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.oracle;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How long messages waited until they arrived, or had an effect.
 */
final class Stalls {

	private static final long NOT_MEASURED = -1;

	private final Troubles troubles;

	private long longest;

	private long longestHealthy = NOT_MEASURED;

	private long longestGap;

	private long longestHealthyGap = NOT_MEASURED;

	private long lastArrival;

	Stalls(Troubles troubles) {
		this.troubles = troubles;
	}

	void add(LedgerEntry entry, long at) {
		long wait = at - entry.commitBegan();
		this.longest = Math.max(this.longest, wait);
		if (wait > this.longestHealthy && !this.troubles.between(entry.commitBegan(), at)) {
			this.longestHealthy = wait;
		}
		long gap = at - this.lastArrival;
		if (this.lastArrival != 0) {
			this.longestGap = Math.max(this.longestGap, gap);
			if (gap > this.longestHealthyGap && !this.troubles.between(this.lastArrival, at)) {
				this.longestHealthyGap = gap;
			}
		}
		this.lastArrival = at;
	}

	Duration longest() {
		return Duration.ofNanos(this.longest);
	}

	/**
	 * Return the longest time between two arrivals.
	 */
	Duration longestGap() {
		return Duration.ofNanos(this.longestGap);
	}

	@Nullable Duration longestHealthy() {
		return measured(this.longestHealthy);
	}

	@Nullable Duration longestHealthyGap() {
		return measured(this.longestHealthyGap);
	}

	private static @Nullable Duration measured(long nanos) {
		return (nanos != NOT_MEASURED) ? Duration.ofNanos(nanos) : null;
	}

}
