/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.send;

/**
 * Why a message was not sent, for a reason of its own.
 */
public enum FailureReason {

	/**
	 * The broker returned the message: nothing is bound to where it goes.
	 */
	RETURNED,

	/**
	 * The broker refused the message.
	 */
	NACKED,

	/**
	 * The broker closed the channel because of the message.
	 */
	CHANNEL_CLOSED,

	/**
	 * The broker was silent about the message while it answered for others.
	 */
	UNCONFIRMED,

	/**
	 * The sender could not give the message to the broker at all.
	 */
	UNSENDABLE,

	/**
	 * The payload of the message, or what it is made with, could not be had for now. The
	 * message was not tried.
	 */
	UNAVAILABLE,

	/**
	 * The sender says that the message failed, and does not say more.
	 */
	REFUSED,

	/**
	 * The message was published, but the store refused to remove it.
	 */
	NOT_REMOVED,

	/**
	 * The message was not even tried, because its destination is paused; or the sender
	 * could not reach that destination, and could reach others.
	 */
	PAUSED

}
