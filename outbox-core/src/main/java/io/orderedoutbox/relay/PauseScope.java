/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

/**
 * Whose relay an operator has paused. Each is resumed by itself: a relay goes on when
 * neither is paused.
 */
public enum PauseScope {

	/**
	 * That of one instance.
	 */
	INSTANCE,

	/**
	 * Those of all instances.
	 */
	ALL

}
