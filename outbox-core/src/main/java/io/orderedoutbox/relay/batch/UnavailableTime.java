/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import io.orderedoutbox.payload.PayloadUnavailableException;
import io.orderedoutbox.relay.batch.CircuitBreakers.Encoding;
import io.orderedoutbox.store.StoredMessage;

/**
 * The time of a batch that was spent on payloads that cannot be had for now. An encoding
 * on which a tenth of the batch was spent is paused, whether that was for one message or
 * for many together: otherwise older keys would use up each batch, and younger keys would
 * wait.
 */
final class UnavailableTime {

	private static final int SHARE = 10;

	private final CircuitBreakers breakers;

	private final long most;

	private final Map<Encoding, Long> spent = new HashMap<>();

	UnavailableTime(CircuitBreakers breakers, Duration batchTime) {
		this.breakers = breakers;
		this.most = batchTime.toNanos() / SHARE;
	}

	/**
	 * A message was not sent.
	 * @param thrown why
	 * @param elapsed how many nanoseconds that took
	 * @return how long the messages wait whose payloads have the same encoding
	 */
	Duration pauseAfter(StoredMessage message, Throwable thrown, long elapsed) {
		if (!(thrown instanceof PayloadUnavailableException)) {
			return Duration.ZERO;
		}
		long sum = this.spent.merge(Encoding.of(message), elapsed, Long::sum);
		return (sum > this.most) ? this.breakers.unavailable(message, String.valueOf(thrown.getMessage()))
				: Duration.ZERO;
	}

}
