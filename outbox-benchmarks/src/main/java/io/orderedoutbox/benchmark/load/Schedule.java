/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.load;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * When things are to be done, whatever became of those before: who is late does not delay
 * what comes next, and a stall is not hidden by doing less.
 */
public final class Schedule {

	private final long start = System.nanoTime();

	private final long interval;

	public Schedule(int perSecond) {
		this.interval = TimeUnit.SECONDS.toNanos(1) / perSecond;
	}

	/**
	 * Wait until it is time, or not at all if it is late.
	 * @param number which of the things, counted from zero
	 */
	public void await(int number) {
		long due = this.start + number * this.interval;
		for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
			LockSupport.parkNanos(wait);
		}
	}

	/**
	 * How many things a second have been done if it was so many by now.
	 */
	public double rateOf(int done) {
		return done / ((System.nanoTime() - this.start) / 1e9);
	}

}
