/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import org.springframework.util.Assert;

/**
 * How long something that failed waits before it is tried again.
 *
 * @param initialInterval the wait after the first failure
 * @param multiplier by how much each further wait is longer than the last
 * @param maxInterval the longest wait
 * @param jitter by which part of itself a wait may be shorter or longer, 0 to 1
 */
public record RetryPolicy(Duration initialInterval, double multiplier, Duration maxInterval, double jitter) {

	/**
	 * Create a policy.
	 * @throws IllegalArgumentException if a value makes no sense
	 */
	public RetryPolicy {
		Assert.isTrue(initialInterval.toMillis() > 0, "'initialInterval' must be at least one millisecond");
		Assert.isTrue(multiplier >= 1, "'multiplier' must not be less than 1");
		Assert.isTrue(maxInterval.compareTo(initialInterval) >= 0, "'maxInterval' must not be below 'initialInterval'");
		Assert.isTrue(jitter >= 0 && jitter <= 1, "'jitter' must be between 0 and 1");
	}

	/**
	 * Return the wait before the next attempt.
	 * @param failures how many attempts have failed so far, at least one
	 * @return the wait, never longer than the longest by more than the jitter
	 */
	public Duration delay(int failures) {
		double wanted = (double) this.initialInterval.toMillis() * Math.pow(this.multiplier, failures - 1);
		double capped = Math.min(wanted, (double) this.maxInterval.toMillis());
		double spread = 1 + this.jitter * ThreadLocalRandom.current().nextDouble(-1, 1);
		return Duration.ofMillis(Math.max(1, Math.round(capped * spread)));
	}

}
