/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

import org.springframework.dao.DataAccessException;

/**
 * Asks the writers for messages: as many as they can, but not more than the others keep
 * up with, and spread over all faults.
 */
final class Pace {

	private static final int INTERVAL = 100;

	private final CountDownLatch end = new CountDownLatch(1);

	private final CountDownLatch enough = new CountDownLatch(1);

	private final Thread thread = new Thread(this::control, "pace");

	private final ChaosSchema schema;

	private final Progress progress;

	private final ChaosSettings settings;

	private final IntSupplier faults;

	private long asked = -1;

	Pace(ChaosSchema schema, Progress progress, ChaosSettings settings, IntSupplier faults) {
		this.schema = schema;
		this.progress = progress;
		this.settings = settings;
		this.faults = faults;
		this.thread.start();
	}

	private void control() {
		try {
			while (!this.end.await(INTERVAL, TimeUnit.MILLISECONDS)) {
				try {
					adjust();
				}
				catch (DataAccessException ex) {
					// The database is away, and nobody writes
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void adjust() {
		Progress.State state = this.progress.state();
		long committed = state.committed();
		if (committed >= this.settings.messages()) {
			this.enough.countDown();
		}
		long share = Math.min(this.settings.faults(), this.faults.getAsInt() + 1);
		long due = (this.settings.faults() == 0) ? this.settings.messages()
				: this.settings.messages() * share / this.settings.faults();
		long pause = (state.waiting() > ChaosSettings.BACKLOG) ? -1 : (committed >= due) ? this.settings.trickle() : 0;
		if (pause != this.asked) {
			this.schema.demand(pause);
			this.asked = pause;
		}
	}

	/**
	 * Wait until so many messages were committed as there should be.
	 * @return whether it is so in time
	 */
	boolean awaitEnough(long deadline) throws InterruptedException {
		return this.enough.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
	}

	void stop() throws InterruptedException {
		this.end.countDown();
		this.thread.join();
	}

}
