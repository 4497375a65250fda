/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.admin;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A message without its content, as it is stored: also one whose row is damaged.
 * <p>
 * A message that is stalled or blocked holds its partition key. It has failed itself,
 * unless an operator deleted the failed message before it by hand, or a message behind it
 * failed while the broker had not yet answered for this one.
 *
 * @param messageId the id that every delivery carries
 * @param name the name of the message
 * @param partitionKey the partition key, empty if it is bound to no order
 * @param exchange the exchange that it goes to
 * @param routingKey the routing key
 * @param attempts how many attempts to send it have failed
 * @param lastError what went wrong last, {@code null} if nothing did
 * @param createdAt when it was stored
 * @param state where it is on its way; in a list, the state that was asked for
 * @param since since when it is dead or archived; if it is stalled or blocked, when it
 * last failed or was put off, or since when it waits if it has not failed; {@code null}
 * if it is pending, due or delayed
 * @param retryAt when it is tried again, {@code null} if it is not stalled
 * @param deliverAt before when it is not sent, {@code null} if it is not delayed
 * @param waitingBehind how many messages wait behind it in the lane of its key if it is
 * stalled or blocked, counted up to {@value #MAX_COUNT}; those that a relay has not moved
 * there so far are not counted. Zero if it is in another state
 */
public record MessageSummary(String messageId, String name, String partitionKey, String exchange, String routingKey,
		int attempts, @Nullable String lastError, Instant createdAt, MessageState state, @Nullable Instant since,
		@Nullable Instant retryAt, @Nullable Instant deliverAt, int waitingBehind) {

	/**
	 * Where counting what waits behind a message ends: as many wait, or more.
	 */
	public static final int MAX_COUNT = 1000;

	/**
	 * Return this summary with what was counted after it was read.
	 * @param count how many messages wait behind the message
	 * @return a new summary
	 */
	public MessageSummary withWaitingBehind(int count) {
		return new MessageSummary(this.messageId, this.name, this.partitionKey, this.exchange, this.routingKey,
				this.attempts, this.lastError, this.createdAt, this.state, this.since, this.retryAt, this.deliverAt,
				count);
	}

}
