package io.orderedoutbox.benchmark;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How long each of many things took. Different things can be noted by different threads.
 */
final class Latencies {

	private final AtomicLongArray nanos;

	Latencies(int count) {
		this.nanos = new AtomicLongArray(count);
	}

	void note(int number, long duration) {
		this.nanos.set(number, duration);
	}

	/**
	 * The time within which a part of all was done.
	 * @param part above 0, at most 1
	 * @return milliseconds
	 */
	double millis(double part) {
		long[] sorted = new long[this.nanos.length()];
		for (int i = 0; i < sorted.length; i++) {
			sorted[i] = this.nanos.get(i);
		}
		Arrays.sort(sorted);
		return sorted[(int) Math.ceil(part * sorted.length) - 1] / 1e6;
	}

	void noteIn(Rounds rounds, String what) {
		rounds.add(what + ", p50", millis(0.5));
		rounds.add(what + ", p99", millis(0.99));
	}

}
