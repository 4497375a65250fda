package io.orderedoutbox.relay;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the store does for the next claim of a worker while the last one is completed, in
 * a thread of its own.
 */
final class Preparation {

	private static final Logger logger = LoggerFactory.getLogger(Preparation.class);

	private @Nullable Thread thread;

	/**
	 * Begin with it.
	 * @param work what there is to do, if anything
	 */
	void begin(@Nullable Runnable work) {
		if (work == null) {
			return;
		}
		Thread ahead = new Thread(() -> run(work), Thread.currentThread().getName() + "-ahead");
		ahead.setDaemon(true);
		try {
			ahead.start();
			this.thread = ahead;
		}
		catch (OutOfMemoryError ex) {
			// What was sent must be completed nevertheless
			logger.debug("No thread could be started: nothing is read ahead", ex);
		}
	}

	// Its connection is one more than the worker has: that there was none is no outage
	private static void run(Runnable work) {
		try {
			work.run();
		}
		catch (RuntimeException ex) {
			logger.debug("Nothing could be read ahead: the next claim looks itself, and fails if it must", ex);
		}
	}

	/**
	 * Wait until it is over, or the thread that waits is interrupted. Whoever waits has
	 * nothing in his hands: it may be waiting for a connection.
	 */
	void await() {
		Thread ahead = this.thread;
		this.thread = null;
		if (ahead != null) {
			try {
				ahead.join();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

}
