/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import org.jspecify.annotations.Nullable;

/**
 * What a replay of dead letters has done.
 *
 * @param replayed how many were processed, or sent again
 * @param left of those that others follow: how many were left when nothing more could be
 * processed, in the queue of dead letters or in the table alone, which is counted up to
 * 10,000; {@code null} if it is not known
 */
public record ReplayResult(int replayed, @Nullable Integer left) {

	/**
	 * Return how many were left, where a number is needed.
	 * @return the number, zero if it is not known
	 */
	public int knownLeft() {
		return (this.left != null) ? this.left : 0;
	}

}
