/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Work of one thread that another thread may interrupt, because no message is in flight
 * meanwhile: a wait for a connection, which can be long while a server is away.
 */
final class InterruptibleWork {

	private final BooleanSupplier stopping;

	// Not null while the thread may be interrupted
	private @Nullable Thread thread;

	/**
	 * Create it.
	 * @param stopping whether no such work is to begin any more: true before
	 * {@link #interrupt()} is called
	 */
	InterruptibleWork(BooleanSupplier stopping) {
		this.stopping = stopping;
	}

	/**
	 * Work on the current thread.
	 * @return what the work returns, or {@code null} if it did not begin
	 */
	<T> @Nullable T run(Supplier<@Nullable T> work) {
		synchronized (this) {
			if (this.stopping.getAsBoolean()) {
				return null;
			}
			this.thread = Thread.currentThread();
		}
		try {
			return work.get();
		}
		finally {
			synchronized (this) {
				this.thread = null;
				// What comes next is not meant
				Thread.interrupted();
			}
		}
	}

	/**
	 * Interrupt the thread, if it is at such work.
	 */
	synchronized void interrupt() {
		if (this.thread != null) {
			this.thread.interrupt();
		}
	}

}
