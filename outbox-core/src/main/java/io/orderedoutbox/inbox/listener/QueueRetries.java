/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

/**
 * What one instance holds back of one queue, and what has become of messages there.
 *
 * @param queue the name of the queue
 * @param heldKeys how many partition keys wait for another attempt
 * @param heldMessages how many messages these keys hold back, those that are tried again
 * included
 * @param retried how many attempts have been repeated since the start
 * @param deadLettered how many messages have become dead letters since the start
 */
public record QueueRetries(String queue, long heldKeys, long heldMessages, long retried, long deadLettered) {

	/**
	 * Return nothing for a queue.
	 * @param queue the name of the queue
	 * @return zeros
	 */
	public static QueueRetries none(String queue) {
		return new QueueRetries(queue, 0, 0, 0, 0);
	}

	/**
	 * Add what another one tells of the same queue.
	 * @param other the other one
	 * @return the sums
	 */
	public QueueRetries plus(QueueRetries other) {
		return new QueueRetries(this.queue, this.heldKeys + other.heldKeys, this.heldMessages + other.heldMessages,
				this.retried + other.retried, this.deadLettered + other.deadLettered);
	}

}
