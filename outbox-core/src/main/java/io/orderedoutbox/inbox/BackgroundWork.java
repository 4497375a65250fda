/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does some work again and again, on a thread of its own: a daemon, and no thread of the
 * application's schedulers.
 * <p>
 * Guaranteed: work that is interrupted within two seconds is not done any more when
 * {@link #stop} returns. Work that throws ends for ever: what is done each time tells of
 * its failures by itself.
 */
public final class BackgroundWork {

	private static final Logger logger = LoggerFactory.getLogger(BackgroundWork.class);

	private static final int SECONDS_TO_END = 2;

	private final String name;

	private final Duration interval;

	private volatile @Nullable ScheduledExecutorService executor;

	/**
	 * Create work that has not begun.
	 * @param name the name of the thread
	 * @param interval the pause between two times
	 */
	public BackgroundWork(String name, Duration interval) {
		this.name = name;
		this.interval = interval;
	}

	/**
	 * Begin, unless the work is done already.
	 * @param work what is done each time, must not throw
	 */
	@SuppressWarnings("FutureReturnValueIgnored") // it never ends, and tells what fails
	public synchronized void start(Runnable work) {
		if (this.executor == null) {
			ScheduledExecutorService started = Executors.newSingleThreadScheduledExecutor((task) -> {
				Thread thread = new Thread(task, this.name);
				thread.setDaemon(true);
				return thread;
			});
			this.executor = started;
			started.scheduleWithFixedDelay(work, 0, this.interval.toMillis(), TimeUnit.MILLISECONDS);
		}
	}

	/**
	 * Interrupt the work, and wait for its end, but not for a server that does not
	 * answer.
	 * @param last what is done when the work has ended, and not if there was none
	 */
	public synchronized void stop(Runnable last) {
		ScheduledExecutorService running = this.executor;
		this.executor = null;
		if (running != null) {
			running.shutdownNow();
			awaitEnd(running);
			last.run();
		}
	}

	// Otherwise the thread might connect once more
	private void awaitEnd(ScheduledExecutorService stopped) {
		try {
			if (!stopped.awaitTermination(SECONDS_TO_END, TimeUnit.SECONDS)) {
				logger.debug("Thread {} does not end, and is not waited for any longer", this.name);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Return whether the work is done.
	 * @return whether {@link #start} was called after {@link #stop}
	 */
	public boolean isRunning() {
		return this.executor != null;
	}

}
