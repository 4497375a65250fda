/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Wakes idle workers. A signal given while no worker waits is kept for the next that
 * does, but only one: a worker that wakes takes all that is there.
 */
public final class RelaySignal {

	private final Semaphore signals = new Semaphore(0);

	private final AtomicInteger waiting = new AtomicInteger();

	private volatile Consumer<Set<Integer>> store = (partitions) -> {
	};

	/**
	 * Have a store told of what is committed.
	 * @param store is told of partitions
	 */
	void tell(Consumer<Set<Integer>> store) {
		this.store = store;
	}

	/**
	 * Messages were committed, or have become due: tell the store of the relay, and wake
	 * one worker.
	 * @param partitions where they are, nothing if that is not known
	 */
	public void committed(Set<Integer> partitions) {
		this.store.accept(partitions);
		wake();
	}

	/**
	 * Wake one worker, now or when it next wants to wait. Costs next to nothing.
	 */
	public void wake() {
		if (this.signals.availablePermits() == 0) {
			this.signals.release();
		}
	}

	/**
	 * Wake all workers that wait.
	 */
	void wakeAll() {
		this.signals.release(this.waiting.get());
	}

	/**
	 * Wait for a signal.
	 * @param calledOff whether there is no reason to wait: a thread that makes it true,
	 * and then wakes all, is not missed
	 * @return whether there was one
	 */
	boolean await(Duration timeout, BooleanSupplier calledOff) throws InterruptedException {
		this.waiting.incrementAndGet();
		try {
			return !calledOff.getAsBoolean() && this.signals.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS);
		}
		finally {
			this.waiting.decrementAndGet();
		}
	}

}
