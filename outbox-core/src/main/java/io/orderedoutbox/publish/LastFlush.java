/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

/**
 * The flush that an object-relational mapper does within the commit, when all callbacks
 * of Spring before the commit have run. It calls entity listeners, which may publish.
 */
interface LastFlush {

	/**
	 * Return whether the flush is not over yet: what is published now is written after
	 * it, together and before the commit.
	 */
	boolean isPending();

	/**
	 * Return whether the transaction has ended, so that nothing can be written with it
	 * any more.
	 */
	boolean isTooLate();

}
