/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.figure;

import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * How long each of many things took, to three digits. Several threads can note.
 */
public final class Latencies {

	private static final int DIGITS = 3;

	private final Histogram nanos = new ConcurrentHistogram(DIGITS);

	public void note(long duration) {
		this.nanos.recordValue(duration);
	}

	/**
	 * The time within which a part of all was done.
	 * @param part above 0, at most 1
	 * @return milliseconds
	 */
	public double millis(double part) {
		return this.nanos.getValueAtPercentile(part * 100) / 1e6;
	}

	public void noteIn(Rounds rounds, String what) {
		rounds.add(what + ", p50", millis(0.5));
		rounds.add(what + ", p99", millis(0.99));
	}

}
