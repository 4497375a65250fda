/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

/**
 * What the relay of an instance is doing.
 */
public enum RelayState {

	/**
	 * The relay is not started, or was stopped with the application.
	 */
	STOPPED,

	/**
	 * The relay claims messages and sends them.
	 */
	RUNNING,

	/**
	 * The relay claims nothing any more, and a worker still completes what it had
	 * claimed.
	 */
	PAUSING,

	/**
	 * The relay claims nothing, and no worker has a claim.
	 */
	PAUSED

}
