/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.send;

import org.jspecify.annotations.Nullable;

/**
 * What became of a message that was sent.
 *
 * @param id the position of the message
 * @param error why the broker did not take it, {@code null} if it has: confirmed, and not
 * returned
 * @param reason of what kind the error is, {@code null} if there is none
 */
public record Outcome(long id, @Nullable String error, @Nullable FailureReason reason) {

	/**
	 * Return whether the broker has answered for the message: a sender may find out by
	 * itself that a message cannot be sent.
	 * @return whether it is a sign that the broker answers
	 */
	public boolean isOfBroker() {
		return this.reason == null || this.reason == FailureReason.RETURNED || this.reason == FailureReason.NACKED;
	}

	/**
	 * Return the outcome of a message that the broker has taken.
	 * @param id the position of the message
	 * @return the outcome
	 */
	public static Outcome published(long id) {
		return new Outcome(id, null, null);
	}

	/**
	 * Return the outcome of a message that a sender with several brokers could not bring
	 * to one of them, while it has others. It spends no attempt: its key waits, and so
	 * does for a while all that has the same destination.
	 * @param id the position of the message
	 * @param error why not
	 * @return the outcome
	 */
	public static Outcome unreachable(long id, String error) {
		return failed(id, error, FailureReason.PAUSED);
	}

	/**
	 * Return the outcome of a message that was not taken.
	 * @param id the position of the message
	 * @param error why not
	 * @return the outcome
	 */
	public static Outcome failed(long id, String error) {
		return failed(id, error, FailureReason.REFUSED);
	}

	/**
	 * Return the outcome of a message that was not taken.
	 * @param id the position of the message
	 * @param error why not
	 * @param reason of what kind the error is
	 * @return the outcome
	 */
	public static Outcome failed(long id, String error, FailureReason reason) {
		return new Outcome(id, error, reason);
	}

}
