package io.orderedoutbox.chaos.oracle;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How long messages waited.
 */
final class Stalls {

	private static final long NOT_MEASURED = -1;

	private final Troubles troubles;

	private long longest;

	private long longestHealthy = NOT_MEASURED;

	private long longestGap = NOT_MEASURED;

	private long lastArrival;

	Stalls(Troubles troubles) {
		this.troubles = troubles;
	}

	void add(LedgerEntry entry, Arrival first) {
		long wait = first.at() - entry.commitBegan();
		this.longest = Math.max(this.longest, wait);
		if (wait > this.longestHealthy && !this.troubles.between(entry.commitBegan(), first.at())) {
			this.longestHealthy = wait;
		}
		long gap = first.at() - this.lastArrival;
		if (this.lastArrival != 0 && gap > this.longestGap && !this.troubles.between(this.lastArrival, first.at())) {
			this.longestGap = gap;
		}
		this.lastArrival = first.at();
	}

	Duration longest() {
		return Duration.ofNanos(this.longest);
	}

	@Nullable Duration longestHealthy() {
		return measured(this.longestHealthy);
	}

	@Nullable Duration longestHealthyGap() {
		return measured(this.longestGap);
	}

	private static @Nullable Duration measured(long nanos) {
		return (nanos != NOT_MEASURED) ? Duration.ofNanos(nanos) : null;
	}

}
