/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

/**
 * What can be read of the outbox, besides its overview.
 */
enum Section {

	/**
	 * The messages of a state, or one message.
	 */
	MESSAGES,

	/**
	 * The same messages with what they carry, as lines of JSON.
	 */
	EXPORT,

	/**
	 * What has failed, by destination and cause.
	 */
	GROUPS,

	/**
	 * What operators have done.
	 */
	AUDIT,

	/**
	 * This instance, and the others as far as they are known.
	 */
	INSTANCES,

	/**
	 * The properties that are in effect.
	 */
	CONFIGURATION,

	/**
	 * The names of the outboxes that there are.
	 */
	OUTBOXES

}
