package io.orderedoutbox.monitor;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Does something again and again on a thread of its own: a daemon, no thread of the
 * application's schedulers. The pauses vary a little, so that many instances do not ask
 * all at once.
 */
final class Repetition {

	private static final int MILLIS_TO_END = 2_000;

	private final CountDownLatch stop = new CountDownLatch(1);

	private final Thread thread;

	/**
	 * Create a repetition.
	 * @param work must not throw
	 */
	Repetition(String name, Duration interval, Runnable work) {
		this.thread = new Thread(() -> repeat(interval.toNanos(), work), name);
		this.thread.setDaemon(true);
	}

	private void repeat(long nanos, Runnable work) {
		try {
			do {
				work.run();
			}
			while (!this.stop.await((long) (nanos * ThreadLocalRandom.current().nextDouble(0.95, 1.05)),
					TimeUnit.NANOSECONDS));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	void start() {
		this.thread.start();
	}

	/**
	 * End it. A wait for a connection is interrupted; a database that does not answer is
	 * not waited for.
	 */
	void stop() {
		this.stop.countDown();
		this.thread.interrupt();
		try {
			this.thread.join(MILLIS_TO_END);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
