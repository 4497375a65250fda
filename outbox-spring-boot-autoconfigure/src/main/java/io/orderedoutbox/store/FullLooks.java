package io.orderedoutbox.store;

import java.time.Duration;

/**
 * When an instance that looks from a mark looks from the very start again: a quarter of a
 * second after the last time; later, up to four seconds, as long as it brings little; and
 * never so often that it takes more than a tenth of the time, unless that would be later
 * than after ten seconds. Rows that are deleted but not purged can make it take a second.
 * Used by several threads, one of which looks at a time.
 */
final class FullLooks {

	static final long SHORTEST = Duration.ofMillis(250).toNanos();

	static final long LONGEST_WITHOUT_SUCCESS = Duration.ofSeconds(4).toNanos();

	static final long LONGEST = Duration.ofSeconds(10).toNanos();

	static final int PART = 10;

	private volatile long last;

	private volatile long took;

	private volatile long interval = SHORTEST;

	/**
	 * None so far: the next is due.
	 * @param now by the clock of the {@link Scan}
	 */
	FullLooks(long now) {
		this.last = now - SHORTEST;
	}

	boolean isDue(long now) {
		return now - this.last >= Math.max(this.interval, Math.min(this.took * PART, LONGEST));
	}

	void looked(long begun, long ended) {
		this.last = ended;
		this.took = ended - begun;
	}

	/**
	 * What the last one was good for.
	 * @param satisfied whether it showed enough, or all there is
	 */
	void brought(boolean satisfied) {
		this.interval = satisfied ? SHORTEST : Math.min(this.interval * 2, LONGEST_WITHOUT_SUCCESS);
	}

	/**
	 * Whether the last one brought enough, or none has brought less.
	 */
	boolean bringEnough() {
		return this.interval == SHORTEST;
	}

}
