package io.orderedoutbox.store;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Tells whether looks at the outbox are quick beside what is done between them. Used by
 * several threads, one of which looks at a time.
 */
final class Pace {

	// How many of the last looks count
	private static final int MEMORY = 8;

	// No pause counts for more than so many times what a look may take: after a long one,
	// slow looks would be quick for long
	private static final int LONGEST = 4;

	private final int part;

	private volatile long lookedAt;

	// Is no time between looks
	private final AtomicLong lookingAgain = new AtomicLong();

	// What a look may take lately: workers may look one right after the other, and then
	// for long not at all
	private volatile long allowance;

	private volatile boolean quick;

	/**
	 * A pace.
	 * @param part a look is quick if it takes less than this part of the usual time from
	 * the end of one to the end of the next
	 * @param now by the clock of the {@link Scan}
	 */
	Pace(int part, long now) {
		this.part = part;
		this.lookedAt = now;
	}

	/**
	 * Looked.
	 * @param begun when the look began, by the clock of the {@link Scan}
	 * @param ended when it ended
	 */
	void looked(long begun, long ended) {
		long took = ended - begun;
		long between = ended - this.lookedAt - this.lookingAgain.getAndSet(0);
		long allowed = Math.min(between / this.part, LONGEST * took);
		long usual = this.allowance + (allowed - this.allowance) / MEMORY;
		this.allowance = usual;
		this.lookedAt = ended;
		this.quick = took < usual;
	}

	/**
	 * Looked once more at the same.
	 * @param begun when that began, by the clock of the {@link Scan}
	 * @param ended when it ended
	 */
	void lookedAgain(long begun, long ended) {
		this.lookingAgain.addAndGet(ended - begun);
	}

	/**
	 * Whether the last look was quick.
	 */
	boolean isQuick() {
		return this.quick;
	}

}
