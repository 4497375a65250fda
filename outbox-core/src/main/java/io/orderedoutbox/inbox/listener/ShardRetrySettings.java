/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.time.Duration;

import org.springframework.util.Assert;
import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.ExponentialBackOff;

/**
 * What the listeners of shards do with messages that fail.
 *
 * @param initialInterval pause after the first failure of a message
 * @param multiplier growth of the pause, at least 1
 * @param maxInterval longest pause
 * @param maxAttempts how often a message is tried before it is given up, 0 for any number
 * @param exhausted what becomes of a message that is given up
 */
public record ShardRetrySettings(Duration initialInterval, double multiplier, Duration maxInterval, int maxAttempts,
		Exhausted exhausted) {

	/**
	 * Create settings.
	 * @throws IllegalArgumentException if a value makes no sense
	 */
	public ShardRetrySettings {
		Assert.isTrue(multiplier >= 1, "'multiplier' must be at least 1");
		Assert.isTrue(maxAttempts >= 0, "'maxAttempts' must not be negative");
		Assert.isTrue(initialInterval.toMillis() >= 1 && maxInterval.compareTo(initialInterval) >= 0,
				"'initialInterval' must be at least 1 ms, and 'maxInterval' at least as long");
	}

	BackOffExecution backOff() {
		ExponentialBackOff backOff = new ExponentialBackOff(this.initialInterval.toMillis(), this.multiplier);
		backOff.setMaxInterval(this.maxInterval.toMillis());
		return backOff.start();
	}

	boolean isDeadLetterAfter(int attempts) {
		return this.exhausted != Exhausted.BLOCK && this.maxAttempts > 0 && attempts >= this.maxAttempts;
	}

	/**
	 * What becomes of a message that was tried as often as allowed.
	 */
	public enum Exhausted {

		/**
		 * It is tried on, at the longest pause, and what is behind it waits.
		 */
		BLOCK,

		/**
		 * It goes to the queue of dead letters, and what is behind it goes on.
		 */
		DEAD_LETTER,

		/**
		 * It goes to the queue of dead letters, and what is behind it in its partition,
		 * or of its key, follows it there, until all of these were processed.
		 */
		DEAD_LETTER_SEQUENCE

	}

}
