/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.send;

/**
 * Thrown when the broker closed a channel, but not the connection: one of the messages in
 * flight is to blame, and the broker does not say which.
 */
public final class ChannelRefusedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param reason what the broker said
	 */
	public ChannelRefusedException(String reason) {
		super(reason);
	}

}
