/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.load;

/**
 * Thrown when load is asked for while there is some.
 */
public final class LoadRunningException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	LoadRunningException() {
		super("The load before this one is still running: wait for its end");
	}

}
