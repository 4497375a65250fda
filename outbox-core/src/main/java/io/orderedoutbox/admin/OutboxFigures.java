/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.admin;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How the outbox is doing, at one moment and by the clock of the database. Counting ends
 * at a limit, so that it costs milliseconds however much there is.
 *
 * @param backlog how many messages are in the outbox, counted up to {@value #MAX_BACKLOG}
 * @param stalled how many partition keys wait for another attempt, counted among the
 * {@value #MAX_FAILED} keys that were parked first; a message without a key counts like a
 * key, and so does, in unordered mode, every message
 * @param blocked how many partition keys wait for an operator, counted among the same
 * keys: where more are parked it can be zero although some are blocked, and then says
 * that there is more
 * @param delayed how many partition keys wait for the time of their first message,
 * counted up to {@value #MAX_FAILED}
 * @param deadLetters how many dead letters there are, counted up to
 * {@value #MAX_DEAD_LETTERS}
 * @param archived how many messages are in the archive, counted up to
 * {@value #MAX_ARCHIVED}, {@code null} where there is none, or where its table was lost
 * @param oldest how long the oldest message has been in the outbox, {@code null} if it is
 * empty
 * @param lag for how long the oldest message that could be sent has been due,
 * {@code null} if there is none. What waits behind a message that has failed cannot be
 * sent. The lag is that of the oldest of the first messages of all partitions, and of the
 * keys that are due to be tried again, since they are due
 */
public record OutboxFigures(BoundedCount backlog, BoundedCount stalled, BoundedCount blocked, BoundedCount delayed,
		BoundedCount deadLetters, @Nullable BoundedCount archived, @Nullable Duration oldest, @Nullable Duration lag) {

	/**
	 * Where counting the messages in the outbox ends.
	 */
	public static final int MAX_BACKLOG = 100_000;

	/**
	 * How many of the keys that are parked are looked at.
	 */
	public static final int MAX_FAILED = 1000;

	/**
	 * Where counting dead letters ends.
	 */
	public static final int MAX_DEAD_LETTERS = 10_000;

	/**
	 * Where counting the messages in the archive ends.
	 */
	public static final int MAX_ARCHIVED = 10_000;

	/**
	 * How many messages are looked at for a page of a list.
	 */
	public static final int MAX_EXAMINED = 10_000;

}
