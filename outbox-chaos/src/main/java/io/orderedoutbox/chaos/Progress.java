/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos;

/**
 * How far a run has come.
 */
@FunctionalInterface
interface Progress {

	State state();

	/**
	 * How far a run has come at a moment.
	 *
	 * @param committed how many messages were committed, about
	 * @param waiting how many of them have not reached the end of their way
	 */
	record State(long committed, long waiting) {

	}

}
