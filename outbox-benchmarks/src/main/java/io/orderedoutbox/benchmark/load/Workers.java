/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * Threads that do the same at the same time.
 */
public final class Workers implements AutoCloseable {

	private static final long PATIENCE_IN_MINUTES = 10;

	private final int count;

	private final ExecutorService threads;

	public Workers(int count) {
		this.count = count;
		this.threads = Executors.newFixedThreadPool(count);
	}

	/**
	 * Let each do its part, and wait until all have.
	 * @param part takes the number of the worker, from zero
	 */
	public void run(IntConsumer part) throws InterruptedException {
		List<Callable<Object>> parts = new ArrayList<>();
		for (int worker = 0; worker < this.count; worker++) {
			int number = worker;
			parts.add(Executors.callable(() -> part.accept(number)));
		}
		for (Future<Object> done : this.threads.invokeAll(parts, PATIENCE_IN_MINUTES, TimeUnit.MINUTES)) {
			if (done.isCancelled()) {
				throw new IllegalStateException(
						"Writers have not finished within %d minutes".formatted(PATIENCE_IN_MINUTES));
			}
			try {
				done.get();
			}
			catch (ExecutionException ex) {
				throw new IllegalStateException("A writer has failed", ex);
			}
		}
	}

	@Override
	public void close() {
		this.threads.shutdownNow();
	}

}
