package io.orderedoutbox.store;

/**
 * Tells whether looks at the outbox are quick beside what is done between them. Used by
 * several threads, one of which looks at a time.
 */
final class Pace {

	private final int part;

	private volatile long lookedAt = System.nanoTime();

	private volatile boolean quick;

	/**
	 * A pace.
	 * @param part a look is quick if it takes less than this part of the time from the
	 * end of the one before to its own
	 */
	Pace(int part) {
		this.part = part;
	}

	/**
	 * Just looked.
	 * @param begun when the look began, by {@link System#nanoTime}
	 */
	void looked(long begun) {
		long now = System.nanoTime();
		this.quick = (now - begun) * this.part < now - this.lookedAt;
		this.lookedAt = now;
	}

	/**
	 * Whether the last look was quick.
	 */
	boolean isQuick() {
		return this.quick;
	}

}
