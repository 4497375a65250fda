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
	 * @param first the pause before the first time
	 * @param interval the pause before each further time
	 * @param work must not throw
	 * @param last what is done when it ends, must not throw
	 */
	Repetition(String name, Duration first, Duration interval, Runnable work, Runnable last) {
		this.thread = new Thread(() -> {
			repeat(first, interval, work);
			// The stop is what was meant, and no longer what comes now
			Thread.interrupted();
			last.run();
		}, name);
		this.thread.setDaemon(true);
	}

	private void repeat(Duration first, Duration interval, Runnable work) {
		try {
			boolean stopped = this.stop.await(first.toNanos(), TimeUnit.NANOSECONDS);
			while (!stopped) {
				work.run();
				double jitter = ThreadLocalRandom.current().nextDouble(0.95, 1.05);
				stopped = this.stop.await((long) (interval.toNanos() * jitter), TimeUnit.NANOSECONDS);
			}
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
