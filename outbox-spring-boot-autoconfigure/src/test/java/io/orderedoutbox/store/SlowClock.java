package io.orderedoutbox.store;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Time goes by a thousand times slower: a pause of this machine is no reason to look
 * again, and looks are as quick beside what is between them as ever.
 */
final class SlowClock implements LongSupplier {

	private static final int SLOWER = 1_000;

	private final AtomicLong passed = new AtomicLong();

	@Override
	public long getAsLong() {
		return System.nanoTime() / SLOWER + this.passed.get();
	}

	/**
	 * So much time is over.
	 */
	void pass(long nanoseconds) {
		this.passed.addAndGet(nanoseconds);
	}

}
