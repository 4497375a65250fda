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
		if (work != null) {
			Thread ahead = new Thread(() -> run(work), Thread.currentThread().getName() + "-ahead");
			ahead.setDaemon(true);
			ahead.start();
			this.thread = ahead;
		}
	}

	private static void run(Runnable work) {
		try {
			work.run();
		}
		catch (RuntimeException ex) {
			logger.debug("What follows could not be read ahead: the next claim looks for it, and fails if it must", ex);
		}
	}

	/**
	 * Wait until it is done. Whoever does has nothing in his hands: it may wait for a
	 * connection.
	 */
	void await() throws InterruptedException {
		if (this.thread != null) {
			this.thread.join();
			this.thread = null;
		}
	}

}
