/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static io.orderedoutbox.testing.OwnThread.OWN_THREAD;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Waking idle workers.
 */
@Tag("unit")
@Timeout(30)
class RelaySignalTests {

	private static final Duration LONG = Duration.ofHours(1);

	private static final Duration SHORT = Duration.ofMillis(50);

	private final RelaySignal signal = new RelaySignal();

	private volatile boolean calledOff;

	@Test
	void wakesOneThatWaits() throws Exception {
		CompletableFuture<Void> waiting = waitingWorker();
		this.signal.wake();
		waiting.get(10, TimeUnit.SECONDS);
	}

	@Test
	void aSignalGivenWhileNobodyWaitsIsKept() throws Exception {
		this.signal.wake();
		this.signal.await(LONG, () -> false);
	}

	@Test
	void onlyOneSignalIsKept() throws Exception {
		for (int i = 0; i < 100; i++) {
			this.signal.wake();
		}
		this.signal.await(LONG, () -> false);
		assertThat(waitedFor(SHORT)).isGreaterThanOrEqualTo(SHORT);
	}

	@Test
	void withoutASignalTheWaitEndsByItself() throws Exception {
		assertThat(waitedFor(SHORT)).isGreaterThanOrEqualTo(SHORT);
	}

	@Test
	void allWorkersCanBeWoken() throws Exception {
		CompletableFuture<Void> first = waitingWorker();
		CompletableFuture<Void> second = waitingWorker();
		// Whoever comes too late does not wait at all
		this.calledOff = true;
		this.signal.wakeAll();
		CompletableFuture.allOf(first, second).get(10, TimeUnit.SECONDS);
	}

	@Test
	void wakingAllLeavesNothingForThoseWhoComeLater() throws Exception {
		this.signal.wakeAll();
		assertThat(waitedFor(SHORT)).isGreaterThanOrEqualTo(SHORT);
	}

	private Duration waitedFor(Duration timeout) throws InterruptedException {
		long start = System.nanoTime();
		this.signal.await(timeout, () -> false);
		return Duration.ofNanos(System.nanoTime() - start);
	}

	private CompletableFuture<Void> waitingWorker() {
		return CompletableFuture.runAsync(() -> {
			try {
				this.signal.await(LONG, () -> this.calledOff);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}, OWN_THREAD);
	}

}
