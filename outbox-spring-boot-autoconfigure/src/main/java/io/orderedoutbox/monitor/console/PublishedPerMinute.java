/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How much was published in each of the last sixty minutes, in as much memory as sixty
 * numbers take. The more often {@link #tick} is called, the more exact are the numbers.
 */
final class PublishedPerMinute {

	static final int MINUTES = 60;

	private static final long NANOS = TimeUnit.MINUTES.toNanos(1);

	private final LongSupplier total;

	private final LongSupplier nanoTime;

	private final long[] minutes = new long[MINUTES];

	private final long beganAt;

	private long current;

	private long counted;

	/**
	 * Begin to count.
	 * @param total how much was published so far
	 * @param nanoTime a clock that never goes back
	 */
	PublishedPerMinute(LongSupplier total, LongSupplier nanoTime) {
		this.total = total;
		this.nanoTime = nanoTime;
		this.beganAt = nanoTime.getAsLong();
		this.counted = total.getAsLong();
	}

	/**
	 * Count what was published since the last time.
	 */
	synchronized void tick() {
		long now = (this.nanoTime.getAsLong() - this.beganAt) / NANOS;
		for (long minute = Math.max(this.current + 1, now - MINUTES + 1); minute <= now; minute++) {
			this.minutes[(int) (minute % MINUTES)] = 0;
		}
		this.current = now;
		long published = this.total.getAsLong();
		this.minutes[(int) (now % MINUTES)] += published - this.counted;
		this.counted = published;
	}

	/**
	 * What was published in each minute, the current one last.
	 */
	synchronized List<Long> lastHour() {
		List<Long> hour = new ArrayList<>(MINUTES);
		for (long minute = this.current + 1; minute <= this.current + MINUTES; minute++) {
			hour.add(this.minutes[(int) (minute % MINUTES)]);
		}
		return hour;
	}

}
