/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.terminal;

/**
 * How much is done of what waited when most did, since the outbox was last empty.
 */
final class Progress {

	private long highest;

	/**
	 * Return the highest backlog since it was last empty, this one included.
	 */
	long highest(long depth) {
		this.highest = (depth == 0) ? 0 : Math.max(this.highest, depth);
		return this.highest;
	}

}
