/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.condition;

/**
 * Whether an instance relays.
 */
public enum RelayMode {

	/**
	 * The instance relays for as long as it runs.
	 */
	CONTINUOUS,

	/**
	 * The instance relays what is due, and ends.
	 */
	ONCE,

	/**
	 * The instance only writes, and other instances relay.
	 */
	OFF

}
