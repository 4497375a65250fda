/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.admin;

import java.util.List;

/**
 * What a verb has done, or what it would have done.
 *
 * @param affected how many messages it has changed
 * @param passedOver how many it has left alone because a relay, or another operator, kept
 * them or their partition locked for longer than the verb waits, or one before them in
 * their key: try again
 * @param messageIds the ids of the first {@value #MAX_IDS} that were changed, as they are
 * stored
 */
public record VerbResult(long affected, long passedOver, List<String> messageIds) {

	/**
	 * Greatest number of message ids in a result.
	 */
	public static final int MAX_IDS = 100;

	/**
	 * Create a result.
	 */
	public VerbResult {
		messageIds = List.copyOf(messageIds);
	}

}
