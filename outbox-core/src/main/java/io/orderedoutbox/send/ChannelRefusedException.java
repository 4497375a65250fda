/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.send;

/**
 * Thrown when the broker closed a channel, or the connection, because of something that
 * was sent: one of the messages in flight is to blame, and the broker does not say which.
 */
public final class ChannelRefusedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final boolean ofConnection;

	/**
	 * Create an exception for a channel: one of the messages in flight on it is to blame.
	 * @param reason what the broker said
	 */
	public ChannelRefusedException(String reason) {
		this(reason, false);
	}

	private ChannelRefusedException(String reason, boolean ofConnection) {
		super(reason);
		this.ofConnection = ofConnection;
	}

	/**
	 * Create an exception for a connection that several channels may share: the message
	 * that is to blame may be in flight on another one.
	 * @param reason what the broker said
	 * @return the exception
	 */
	public static ChannelRefusedException ofConnection(String reason) {
		return new ChannelRefusedException(reason, true);
	}

	/**
	 * Whether the broker has closed the connection, with all of its channels.
	 * @return false if it was this channel alone
	 */
	public boolean isOfConnection() {
		return this.ofConnection;
	}

}
