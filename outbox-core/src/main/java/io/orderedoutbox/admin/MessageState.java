/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.admin;

/**
 * Where a message is on its way.
 */
public enum MessageState {

	/**
	 * The message waits for its partition key: another message of the key has failed, and
	 * the key is not due to be tried again.
	 */
	PENDING,

	/**
	 * The message waits for nothing but its turn: none of its partition key has failed,
	 * or the key is due to be tried again. A relay may be sending it.
	 */
	DUE,

	/**
	 * The message has not been tried yet, and is not sent before its time.
	 */
	DELAYED,

	/**
	 * The message has failed and will be tried again, or is due to be.
	 */
	STALLED,

	/**
	 * The message has failed and waits for an operator.
	 */
	BLOCKED,

	/**
	 * The message is a dead letter: no relay sends it.
	 */
	DEAD,

	/**
	 * The message was published, and is kept for a while.
	 */
	ARCHIVED

}
