/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import java.time.Instant;

import io.orderedoutbox.admin.MessageState;
import io.orderedoutbox.admin.MessageSummary;
import io.orderedoutbox.monitor.Names;
import org.jspecify.annotations.Nullable;

/**
 * A message in a list, or one that was asked for by itself.
 *
 * @param messageId the id that every delivery carries
 * @param name its name
 * @param partitionKey its partition key, empty if it is bound to no order
 * @param exchange the exchange that it goes to
 * @param routingKey the routing key
 * @param state in which state it is; in a list, in which it was asked for
 * @param attempts how many attempts to send it have failed
 * @param lastError what went wrong last
 * @param createdAt when it was stored
 * @param since since when it is stalled, blocked, dead or archived
 * @param retryAt when it is tried again
 * @param deliverAt before when it is not sent
 * @param waitingBehind how many messages wait behind it, counted up to
 * {@value MessageSummary#MAX_COUNT}; {@code null} unless it is in a list of what is
 * stalled or blocked
 */
public record MessageDescriptor(String messageId, String name, String partitionKey, String exchange, String routingKey,
		String state, int attempts, @Nullable String lastError, Instant createdAt, @Nullable Instant since,
		@Nullable Instant retryAt, @Nullable Instant deliverAt, @Nullable Integer waitingBehind) {

	static MessageDescriptor listed(MessageSummary message) {
		boolean isStuck = message.state() == MessageState.STALLED || message.state() == MessageState.BLOCKED;
		return of(message, isStuck ? message.waitingBehind() : null);
	}

	static MessageDescriptor of(MessageSummary message, @Nullable Integer waitingBehind) {
		return new MessageDescriptor(message.messageId(), message.name(), message.partitionKey(), message.exchange(),
				message.routingKey(), Names.of(message.state()), message.attempts(), message.lastError(),
				message.createdAt(), message.since(), message.retryAt(), message.deliverAt(), waitingBehind);
	}

}
