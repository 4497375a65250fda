/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.testing;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Runs what a test does meanwhile. In the common pool, which has a single thread on two
 * cores, a task waits for those before it; and since Java 25 whoever waits for it does it
 * himself then, in his own transaction.
 */
public final class OwnThread {

	/** A thread for each task. */
	public static final Executor OWN_THREAD = (task) -> new Thread(task, "test-meanwhile").start();

	private OwnThread() {
	}

	/**
	 * Do some work on a thread of its own, for 30 seconds at most.
	 */
	public static <T> CompletableFuture<T> meanwhile(Supplier<T> work) {
		return CompletableFuture.supplyAsync(work, OWN_THREAD).orTimeout(30, TimeUnit.SECONDS);
	}

}
