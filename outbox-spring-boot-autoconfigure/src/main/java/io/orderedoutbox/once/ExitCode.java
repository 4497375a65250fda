/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.once;

import io.orderedoutbox.relay.OneShotResult;
import io.orderedoutbox.relay.OneShotResult.Ending;

/**
 * What a one-shot relay tells the process that has started it.
 */
public enum ExitCode {

	/**
	 * All that was due, or as much of it as the limits allow, has been published.
	 */
	PUBLISHED(0),

	/**
	 * Something has failed, and stays in the outbox.
	 */
	FAILED(1),

	/**
	 * The relay could not start, because of its options or its configuration.
	 */
	BAD_OPTIONS(2),

	/**
	 * Broker or database could not be reached, or were lost on the way.
	 */
	UNREACHABLE(3);

	private final int code;

	ExitCode(int code) {
		this.code = code;
	}

	/**
	 * Return the number.
	 * @return 0 to 3
	 */
	public int code() {
		return this.code;
	}

	static ExitCode of(OneShotResult result) {
		if (result.ending() == Ending.UNREACHABLE) {
			return UNREACHABLE;
		}
		boolean failed = result.totals().failed() > 0 || result.ending() == Ending.BROKEN;
		return failed ? FAILED : PUBLISHED;
	}

}
