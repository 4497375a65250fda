package io.orderedoutbox.relay;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the store does for the next claim of a worker while the last one is completed, in
 * a thread of its own.
 */
final class Preparation {

	private static final Logger logger = LoggerFactory.getLogger(Preparation.class);

	private @Nullable FutureTask<Void> begun;

	/**
	 * Begin with it.
	 * @param work what there is to do, if anything
	 */
	void begin(@Nullable Runnable work) {
		if (work == null) {
			return;
		}
		FutureTask<Void> task = new FutureTask<>(work, null);
		Thread thread = new Thread(task, Thread.currentThread().getName() + "-ahead");
		thread.setDaemon(true);
		try {
			thread.start();
			this.begun = task;
		}
		catch (OutOfMemoryError ex) {
			// What was sent must be completed nevertheless
			logger.debug("No thread could be started: what follows is not read ahead", ex);
		}
	}

	/**
	 * Nobody will wait for it: what it was for has failed.
	 */
	void forget() {
		this.begun = null;
	}

	/**
	 * Wait until it is done. Whoever does has nothing in his hands: it may wait for a
	 * connection. What has gone wrong is thrown, as if he had looked himself.
	 */
	void await() throws InterruptedException {
		FutureTask<Void> last = this.begun;
		forget();
		if (last == null) {
			return;
		}
		try {
			last.get();
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof RuntimeException cause) ? cause : new IllegalStateException(ex);
		}
	}

}
