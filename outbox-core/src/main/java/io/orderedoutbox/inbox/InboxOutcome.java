/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

/**
 * What became of a message that was delivered.
 */
public enum InboxOutcome {

	/**
	 * It was processed.
	 */
	PROCESSED,

	/**
	 * It had been processed before.
	 */
	DUPLICATE,

	/**
	 * The listener or the database has failed: there is no record of it.
	 */
	FAILED,

	/**
	 * It has no message id, and was refused.
	 */
	REJECTED

}
