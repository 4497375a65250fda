/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.admin;

/**
 * What an operator can do about messages that are stuck, delayed or dead.
 */
public enum OperatorVerb {

	/**
	 * A stalled or blocked message is due at once, as if it had never failed.
	 */
	RETRY,

	/**
	 * A delayed message does not wait for its time any more.
	 */
	RELEASE,

	/**
	 * A stalled or blocked message becomes a dead letter, and its partition key goes on.
	 */
	SKIP,

	/**
	 * A dead letter becomes a message again, with the same id, at the tail of its
	 * partition key.
	 */
	REQUEUE,

	/**
	 * A dead letter is deleted for ever.
	 */
	DISCARD

}
