/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.admin;

import java.time.Instant;

/**
 * What has failed on the way to one destination and for one cause, so that one remedy and
 * one verb are enough for all of it.
 *
 * @param group the name of the group, by which {@link MessageSelection#group} selects it
 * @param exchange the exchange, empty for the default one; messages for different queues
 * behind the default exchange are in different groups
 * @param cause why they failed, with {@code #} for what differs from one message to the
 * other, such as ids and numbers
 * @param stalled how many partition keys wait for another attempt; a message without a
 * key counts like a key, and so does, in unordered mode, every message
 * @param blocked how many partition keys wait for an operator
 * @param deadLetters how many dead letters there are
 * @param oldest when the oldest of these messages was stored
 * @param example the oldest of those that are stalled or blocked, or of the dead letters
 * if there are no others, with its error as it is
 */
public record FailureGroup(String group, String exchange, String cause, long stalled, long blocked, long deadLetters,
		Instant oldest, MessageSummary example) {

	/**
	 * Return how many partition keys wait.
	 * @return those that are stalled or blocked
	 */
	public long keys() {
		return this.stalled + this.blocked;
	}

}
