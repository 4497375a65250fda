/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.DelegatingClaim;
import io.orderedoutbox.store.FailedMessage;

/**
 * The thread on which a worker works: that of the test, or one of its own for which the
 * test waits.
 */
class OwnedThread {

	/** The thread of the test. */
	static final OwnedThread OF_THE_TEST = new OwnedThread() {

		@Override
		<T> T call(Supplier<T> work) {
			return work.get();
		}

		@Override
		Claim bind(Claim claim) {
			return claim;
		}

		@Override
		void end() {
		}

	};

	private static final Duration ENOUGH = Duration.ofSeconds(30);

	private final ExecutorService thread = Executors.newSingleThreadExecutor((task) -> {
		Thread thread = new Thread(task, "colleague");
		thread.setDaemon(true);
		return thread;
	});

	/**
	 * Do something on the thread, and wait until it is done.
	 */
	<T> T call(Supplier<T> work) {
		try {
			return this.thread.submit(work::get).get(ENOUGH.toSeconds(), TimeUnit.SECONDS);
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof RuntimeException cause) {
				throw cause;
			}
			throw new AssertionError(ex.getCause());
		}
		catch (InterruptedException | TimeoutException ex) {
			end();
			throw new AssertionError("It was not done in time", ex);
		}
	}

	/**
	 * Do nothing more.
	 */
	void end() {
		this.thread.shutdownNow();
	}

	/**
	 * A claim whatever is done with which is done on the thread.
	 */
	Claim bind(Claim claim) {
		return new DelegatingClaim(claim) {

			@Override
			public boolean renew() {
				return call(super::renew);
			}

			@Override
			public void settle(Collection<Long> published, Collection<FailedMessage> failed) {
				call(() -> {
					super.settle(published, failed);
					return true;
				});
			}

			@Override
			public void commit() {
				call(() -> {
					super.commit();
					return true;
				});
			}

			@Override
			public void suspend() {
				call(() -> {
					super.suspend();
					return true;
				});
			}

			@Override
			public void settleLate(Collection<Long> published, Collection<FailedMessage> failed) {
				call(() -> {
					super.settleLate(published, failed);
					return true;
				});
			}

			@Override
			public void close() {
				call(() -> {
					super.close();
					return true;
				});
			}

		};
	}

}
