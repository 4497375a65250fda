/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Which dead letters of some shards are followed by others.
 *
 * @param parkedKeys how many partitions, or partition keys, have such dead letters
 * @param deadLetters how many dead letters these have
 * @param oldest for how long the first of them has been one, by the clock of the
 * database, null if there are none
 * @param isMore whether there are more than were counted
 * @param heads the first dead letters of the keys that are parked, the oldest ones first,
 * and no more than a page of them
 */
public record SequenceFigures(long parkedKeys, long deadLetters, @Nullable Duration oldest, boolean isMore,
		List<Head> heads) {

	SequenceFigures with(List<Head> found) {
		return new SequenceFigures(this.parkedKeys, this.deadLetters, this.oldest, this.isMore, found);
	}

	/**
	 * The first dead letter of a key: the one that the others wait for.
	 *
	 * @param key {@code partition} with its number, or {@code key} with the partition key
	 * @param messageId the id of the message
	 * @param age for how long it has been a dead letter, by the clock of the database
	 */
	public record Head(String key, String messageId, Duration age) {

	}

}
