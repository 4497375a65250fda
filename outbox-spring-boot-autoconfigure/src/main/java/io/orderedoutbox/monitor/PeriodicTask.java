/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.orderedoutbox.send.OutboxScope;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does some work again and again on a thread of its own: a daemon, no thread of the
 * application's schedulers. The pauses vary a little, so that many instances do not ask
 * all at once. A task can be started again after it was stopped.
 */
public final class PeriodicTask {

	private static final Logger logger = LoggerFactory.getLogger(PeriodicTask.class);

	private static final int MILLIS_TO_END = 2_000;

	private final String name;

	private final Duration first;

	private final Duration interval;

	private final Runnable work;

	private final Runnable last;

	private @Nullable Run run;

	/**
	 * Create a task.
	 * @param name of its thread
	 * @param first the pause before the first time
	 * @param interval the pause before each further time, zero for never
	 * @param work what is done; that it throws is an error, but not the end
	 * @param last what is done when the task ends, must not throw
	 */
	public PeriodicTask(String name, Duration first, Duration interval, Runnable work, Runnable last) {
		this.name = name;
		this.first = first;
		this.interval = interval;
		this.work = work;
		this.last = last;
	}

	boolean isWanted() {
		return !this.interval.isZero();
	}

	// Spring also starts what does not start by itself, if the context is started again
	/**
	 * Start it, unless it is running.
	 */
	public synchronized void start() {
		if (this.run == null && isWanted()) {
			this.run = new Run();
			this.run.thread.start();
		}
	}

	/**
	 * End the task. A wait for a connection is interrupted; a database that does not
	 * answer is not waited for.
	 */
	public void stop() {
		Run stopped;
		synchronized (this) {
			stopped = this.run;
			this.run = null;
		}
		if (stopped != null) {
			stopped.stop();
		}
	}

	synchronized boolean isRunning() {
		return this.run != null;
	}

	/**
	 * From a start to a stop.
	 */
	private final class Run {

		private final CountDownLatch stop = new CountDownLatch(1);

		private final Thread thread = OutboxScope.thread(this::live, PeriodicTask.this.name);

		Run() {
			this.thread.setDaemon(true);
		}

		private void live() {
			try {
				repeat();
			}
			catch (InterruptedException ex) {
				// The stop is what was meant, and not what comes now
			}
			Thread.interrupted();
			PeriodicTask.this.last.run();
		}

		private void repeat() throws InterruptedException {
			boolean stopped = await(PeriodicTask.this.first.toNanos());
			while (!stopped) {
				work();
				double jitter = ThreadLocalRandom.current().nextDouble(0.95, 1.05);
				stopped = await((long) (PeriodicTask.this.interval.toNanos() * jitter));
			}
		}

		// After any failure the next time may go well, and the monitor relies on it
		private void work() {
			try {
				PeriodicTask.this.work.run();
			}
			catch (RuntimeException | Error ex) {
				logger.atError()
					.setCause(ex)
					.addKeyValue("task", PeriodicTask.this.name)
					.addKeyValue("error", ex.toString())
					.log("{} has failed, and goes on", PeriodicTask.this.name);
			}
		}

		private boolean await(long nanos) throws InterruptedException {
			return this.stop.await(nanos, TimeUnit.NANOSECONDS);
		}

		void stop() {
			// In this order: what is done at the end is not interrupted
			this.thread.interrupt();
			this.stop.countDown();
			try {
				this.thread.join(MILLIS_TO_END);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

}
