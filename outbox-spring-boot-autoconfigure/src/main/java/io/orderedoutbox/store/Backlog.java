package io.orderedoutbox.store;

import java.time.Duration;

/**
 * How much waits in the outbox, and what for, at one moment.
 *
 * @param depth how many messages there are: exact up to {@value #MAX_COUNT}, beyond that
 * an estimate of the database
 * @param lag for how long the oldest message that could be sent has been due; zero if
 * none was found. What waits behind a message that has failed cannot be sent. It is the
 * oldest among the 1,000 oldest messages; if none of these can be sent, among the first
 * messages of {@value #MAX_COUNT} partition keys, taken in the order of the keys, and the
 * {@value #MAX_COUNT} oldest messages without a key: with more keys than that, what is
 * due can be missed
 * @param stalledKeys how many partition keys wait for another attempt, counted among the
 * oldest {@value #MAX_COUNT} messages that have failed; a message without a key counts
 * like a key
 * @param blockedKeys how many partition keys wait for an operator, counted among the same
 * messages: where more have failed it can be zero although some are blocked
 * @param deadLetters how many dead letters there are, counted up to {@value #MAX_COUNT}
 */
public record Backlog(long depth, Duration lag, long stalledKeys, long blockedKeys, long deadLetters) {

	/**
	 * Where counting ends.
	 */
	public static final int MAX_COUNT = 10_000;

}
