/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.time.Duration;

import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.StoredMessage;

import org.springframework.util.Assert;

/**
 * What becomes of a message that failed for a reason of its own: it is tried again, later
 * each time, until its attempts are used up.
 *
 * @param backOff how long it waits for its next attempt, and its key with it
 * @param maxAttempts how many attempts it has, zero for any number
 * @param onExhausted what becomes of it after the last
 */
public record FailurePolicy(RetryPolicy backOff, int maxAttempts, OnExhausted onExhausted) {

	/**
	 * Create a policy.
	 * @throws IllegalArgumentException if a value makes no sense
	 */
	public FailurePolicy {
		Assert.isTrue(maxAttempts >= 0, "'maxAttempts' must not be negative");
	}

	FailedMessage failed(StoredMessage message, String error) {
		int attempts = message.attempts() + 1;
		String text = ErrorText.bounded(error);
		if (this.maxAttempts == 0 || attempts < this.maxAttempts) {
			return FailedMessage.retried(message.id(), text, this.backOff.delay(attempts));
		}
		return switch (this.onExhausted) {
			case BLOCK -> FailedMessage.blocked(message.id(), text);
			case DEAD_LETTER -> FailedMessage.deadLetter(message.id(), text);
		};
	}

	FailedMessage postponed(StoredMessage message, String reason, Duration delay) {
		return FailedMessage.postponed(message.id(), ErrorText.bounded(reason), delay);
	}

	/**
	 * What becomes of a message that has used up its attempts.
	 */
	public enum OnExhausted {

		/**
		 * The message stays, and nothing behind it of its partition key is sent until an
		 * operator says otherwise.
		 */
		BLOCK,

		/**
		 * The message becomes a dead letter, and its partition key goes on without it.
		 */
		DEAD_LETTER

	}

}
