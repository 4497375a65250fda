/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is done again and again, and how it ends.
 */
@Tag("unit")
@Timeout(60)
class PeriodicTaskTests {

	private static final int ROUNDS = 5_000;

	private static final Duration LONG = Duration.ofHours(1);

	// A window of microseconds: an interrupt that came late found one end in some
	// thousands
	@Test
	void whatIsDoneAtTheEndIsNotInterrupted() throws Exception {
		AtomicInteger ends = new AtomicInteger();
		AtomicInteger interrupts = new AtomicInteger();
		for (int round = 0; round < ROUNDS; round++) {
			CountDownLatch begun = new CountDownLatch(1);
			PeriodicTask task = new PeriodicTask("test", Duration.ZERO, LONG, begun::countDown, () -> {
				linger();
				interrupts.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 0);
				ends.incrementAndGet();
			});
			task.start();
			begun.await();
			linger();
			task.stop();
		}
		assertThat(ends).hasValue(ROUNDS);
		assertThat(interrupts).hasValue(0);
	}

	private static void linger() {
		long end = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(100);
		while (System.nanoTime() < end) {
			Thread.onSpinWait();
		}
	}

	@Test
	void whatIsUnderWayIsInterrupted() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch interrupted = new CountDownLatch(1);
		PeriodicTask task = new PeriodicTask("test", Duration.ZERO, LONG, () -> {
			begun.countDown();
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				interrupted.countDown();
			}
		}, () -> {
		});
		task.start();
		begun.await();
		task.stop();
		interrupted.await();
		assertThat(task.isRunning()).isFalse();
	}

	@Test
	void withoutAnIntervalNothingIsEverDone() {
		AtomicInteger times = new AtomicInteger();
		PeriodicTask task = new PeriodicTask("test", Duration.ZERO, Duration.ZERO, times::incrementAndGet,
				times::incrementAndGet);
		task.start();
		assertThat(task.isRunning()).isFalse();
		task.stop();
		assertThat(times).hasValue(0);
	}

}
