/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.orderedoutbox.relay.batch.CircuitBreakers;
import io.orderedoutbox.relay.batch.Rehearsals;
import io.orderedoutbox.relay.batch.WorkerSettings;
import io.orderedoutbox.send.MessageSender;

/**
 * What the workers of a relay share between one start and the next stop.
 *
 * @param sender where messages are sent
 * @param settings what each worker goes by
 * @param breakers what has done harm lately
 * @param rehearsals what the store has refused to complete lately
 * @param listener is told what the workers do
 * @param stop zero when all workers are to stop
 * @param clock tells the time, as {@link System#nanoTime} does
 */
record RelayContext(MessageSender sender, WorkerSettings settings, CircuitBreakers breakers, Rehearsals rehearsals,
		RelayListener listener, CountDownLatch stop, LongSupplier clock) {

	RelayContext(MessageSender sender, WorkerSettings settings, RelayListener listener) {
		this(sender, settings, new CircuitBreakers(settings.retry().backOff()), new Rehearsals(settings.retry()),
				listener, new CountDownLatch(1), System::nanoTime);
	}

	boolean isStopping() {
		return this.stop.getCount() == 0;
	}

	/**
	 * Wait, but not beyond a stop.
	 */
	void waitOut(Duration delay) throws InterruptedException {
		this.stop.await(delay.toNanos(), TimeUnit.NANOSECONDS);
	}

}
