/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.store;

import java.time.Duration;

/**
 * How much waits in the outbox, and what for, at one moment.
 *
 * @param depth how many messages there are: exact up to {@value #MAX_COUNT}, beyond that
 * an estimate of the database
 * @param lag for how long the oldest message that could be sent has been due; zero if
 * there is none. What waits behind a message that has failed cannot be sent. The lag is
 * that of the oldest of the first messages of all partitions, and of the keys that are
 * due to be tried again, since they are due
 * @param stalledKeys how many partition keys wait for another attempt, counted among the
 * {@value #MAX_COUNT} keys that were parked first; a message without a key counts like a
 * key
 * @param blockedKeys how many partition keys wait for an operator, counted among the same
 * keys: where more are parked it can be zero although some are blocked
 * @param deadLetters how many dead letters there are, counted up to {@value #MAX_COUNT}
 * @param stalledFor for how long the oldest of the messages could have been sent that
 * hold the stalled keys, zero if there is none
 * @param delayedKeys how many partition keys wait for the time of their first message,
 * counted up to {@value #MAX_COUNT}; a message without a key counts like a key. They are
 * neither stalled nor blocked, and make no lag
 */
public record Backlog(long depth, Duration lag, long stalledKeys, long blockedKeys, long deadLetters,
		Duration stalledFor, long delayedKeys) {

	/**
	 * Where counting ends.
	 */
	public static final int MAX_COUNT = 10_000;

	/**
	 * Create a backlog in which no key has been stalled for long, and none is delayed.
	 * @param depth how many messages there are
	 * @param lag for how long the oldest message that could be sent has been due
	 * @param stalledKeys how many partition keys wait for another attempt
	 * @param blockedKeys how many partition keys wait for an operator
	 * @param deadLetters how many dead letters there are
	 */
	public Backlog(long depth, Duration lag, long stalledKeys, long blockedKeys, long deadLetters) {
		this(depth, lag, stalledKeys, blockedKeys, deadLetters, Duration.ZERO, 0);
	}

}
