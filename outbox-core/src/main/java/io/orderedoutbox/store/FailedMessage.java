/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.store;

import java.time.Duration;

/**
 * A message that was not sent for a reason of its own, and what is to become of it.
 *
 * @param id the position of the message
 * @param error what went wrong, of the kind of the error and its message
 * @param fate what is to become of it
 * @param delay how long it waits, counted by the database, where its fate is to wait
 */
public record FailedMessage(long id, String error, Fate fate, Duration delay) {

	/**
	 * What the reason of a message begins with that was not tried because its destination
	 * is paused. The error follows that led to the pause.
	 */
	public static final String PAUSED_AFTER = "not tried, because its destination is paused after: ";

	/**
	 * Return a message that is tried again.
	 * @param id the position of the message
	 * @param error what went wrong
	 * @param delay how long it waits, and its partition key with it
	 * @return the failed message
	 */
	public static FailedMessage retried(long id, String error, Duration delay) {
		return new FailedMessage(id, error, Fate.RETRIED, delay);
	}

	/**
	 * Return a message that was not even tried.
	 * @param id the position of the message
	 * @param reason why not
	 * @param delay how long it waits, and its partition key with it
	 * @return the failed message
	 */
	public static FailedMessage postponed(long id, String reason, Duration delay) {
		return new FailedMessage(id, reason, Fate.POSTPONED, delay);
	}

	/**
	 * Return a message that waits for an operator.
	 * @param id the position of the message
	 * @param error what went wrong
	 * @return the failed message
	 */
	public static FailedMessage blocked(long id, String error) {
		return new FailedMessage(id, error, Fate.BLOCKED, Duration.ZERO);
	}

	/**
	 * Return a message that makes way for those behind it.
	 * @param id the position of the message
	 * @param error what went wrong
	 * @return the failed message
	 */
	public static FailedMessage deadLetter(long id, String error) {
		return new FailedMessage(id, error, Fate.DEAD_LETTER, Duration.ZERO);
	}

	/**
	 * What becomes of a message that was not sent.
	 */
	public enum Fate {

		/**
		 * The message has spent an attempt and is tried again.
		 */
		RETRIED,

		/**
		 * The message has spent no attempt and is tried later.
		 */
		POSTPONED,

		/**
		 * The message has spent its last attempt, and its partition key stands still
		 * until an operator says otherwise.
		 */
		BLOCKED,

		/**
		 * The message has spent its last attempt and becomes a dead letter; its partition
		 * key goes on.
		 */
		DEAD_LETTER

	}

}
