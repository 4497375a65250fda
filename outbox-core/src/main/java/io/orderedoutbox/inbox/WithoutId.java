/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

/**
 * What a listener with {@link ProcessOnce} does with a message that has no id.
 */
public enum WithoutId {

	/**
	 * Reject it, so that it goes to the dead letter exchange of its queue, or is lost if
	 * the queue has none.
	 */
	REJECT,

	/**
	 * Process it, each time that it is delivered.
	 */
	PROCESS

}
