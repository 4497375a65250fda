/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.admin;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Keeps what is done slow enough.
 */
public final class Pace {

	private final int perSecond;

	private final long begunAt = System.nanoTime();

	private final CountDownLatch never = new CountDownLatch(1);

	/**
	 * Begin.
	 * @param perSecond how much may be done in a second, zero for any number
	 */
	public Pace(int perSecond) {
		this.perSecond = perSecond;
	}

	/**
	 * Wait until so much may have been done.
	 * @param done how much that is, since the beginning
	 * @throws IllegalStateException if the thread is interrupted
	 */
	public void await(long done) {
		if (this.perSecond == 0) {
			return;
		}
		long until = Math.round(1e9 * done / this.perSecond);
		try {
			this.never.await(until - (System.nanoTime() - this.begunAt), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted before all was done", ex);
		}
	}

}
