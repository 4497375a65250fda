/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.store;

import java.time.Duration;
import java.time.Instant;

/**
 * A time by the clock of the store, and the moment at which it was read: from there on
 * the time of the store can be told without asking again, and without a clock of our own.
 *
 * @param time the time by the clock of the store
 * @param readAt when it was read, by {@link System#nanoTime}
 */
public record StoreTime(Instant time, long readAt) {

	/**
	 * Return the age of something at a moment.
	 * @param since since when it is there, by the clock of the store
	 * @param moment the moment, by {@link System#nanoTime}
	 * @return the age in nanoseconds, never negative
	 */
	public long age(Instant since, long moment) {
		return Math.max(0, Duration.between(since, this.time).toNanos() + moment - this.readAt);
	}

}
