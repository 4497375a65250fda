/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.terminal;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How fast a number grows, over the last seconds and over the last minute.
 */
final class Rates {

	static final Duration LONGEST = Duration.ofMinutes(1);

	private final Deque<Reading> readings = new ArrayDeque<>();

	/**
	 * Tell the number.
	 * @param nanoTime when it was read, never before the last time
	 * @param total the number
	 */
	void add(long nanoTime, long total) {
		this.readings.addLast(new Reading(nanoTime, total));
		// One is kept that is old enough
		Reading first = this.readings.removeFirst();
		while (!this.readings.isEmpty() && nanoTime - this.readings.getFirst().nanoTime() >= LONGEST.toNanos()) {
			first = this.readings.removeFirst();
		}
		this.readings.addFirst(first);
	}

	/**
	 * Return how much it grew in a second, over a time that ends with the last reading,
	 * or since the first reading if that is less.
	 */
	double perSecond(Duration window) {
		Reading last = this.readings.getLast();
		Reading first = this.readings.getFirst();
		for (Reading reading : this.readings) {
			if (last.nanoTime() - reading.nanoTime() >= window.toNanos()) {
				first = reading;
			}
		}
		long nanos = last.nanoTime() - first.nanoTime();
		return (nanos > 0) ? (last.total() - first.total()) * 1e9 / nanos : 0;
	}

	private record Reading(long nanoTime, long total) {

	}

}
