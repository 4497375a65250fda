/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.routing;

import java.time.Duration;

import io.orderedoutbox.relay.batch.RetryPolicy;
import io.orderedoutbox.send.TransportException;

/**
 * When a sender could not be reached.
 *
 * @param exception why
 * @param at when that was found out, by {@link System#nanoTime}
 * @param failures how often in a row
 */
record Outage(TransportException exception, long at, int failures) {

	private static final RetryPolicy PAUSES = new RetryPolicy(Duration.ofMillis(100), 2, Duration.ofSeconds(5), 0);

	/**
	 * Whether the sender is not to be asked yet.
	 */
	boolean isFresh() {
		return System.nanoTime() - this.at < PAUSES.delay(this.failures).toNanos();
	}

}
