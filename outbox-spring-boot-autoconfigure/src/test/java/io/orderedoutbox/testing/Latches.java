/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.testing;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Waits for other threads of a test, for 20 seconds at most.
 */
public final class Latches {

	private Latches() {
	}

	/**
	 * Count a latch down, and wait until all others have.
	 */
	public static void meet(CountDownLatch latch) {
		latch.countDown();
		await(latch);
	}

	/**
	 * Wait until a latch is at zero.
	 */
	public static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
