/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.monitor;

import java.time.Duration;
import java.time.Instant;

import io.orderedoutbox.inbox.listener.QueueRetries;
import io.orderedoutbox.inbox.shard.ShardStatus;
import org.jspecify.annotations.Nullable;

/**
 * A queue of shards.
 *
 * @param queue the name of the queue
 * @param state what the broker has said of it: {@code attended} if it has a consumer,
 * {@code idle} if it has neither a consumer nor messages, {@code unattended} if it has
 * messages and no consumer, {@code missing}, or {@code unknown}
 * @param messages how many messages wait in it, {@code null} if that is not known
 * @param consumers how many consumers the broker hands them to, whatever instance they
 * belong to, {@code null} if that is not known. Those that stand by do not count
 * @param unattendedMillis for how long it has been unattended or missing, {@code null} if
 * it is neither
 * @param lastDeliveryHere when this instance was last handed a message of it, by its own
 * clock, {@code null} if it has not been since the start
 * @param heldKeys how many keys this instance holds back, {@code null} if nothing in it
 * retries
 * @param heldMessages how many messages these keys hold back
 * @param retried how many attempts this instance has repeated since the start
 * @param deadLettered how many messages it has made dead letters of since the start
 */
public record ShardDescriptor(String queue, String state, @Nullable Long messages, @Nullable Long consumers,
		@Nullable Long unattendedMillis, @Nullable Instant lastDeliveryHere, @Nullable Long heldKeys,
		@Nullable Long heldMessages, @Nullable Long retried, @Nullable Long deadLettered) {

	static ShardDescriptor of(String queue, @Nullable ShardStatus status, @Nullable Instant lastDeliveryHere,
			@Nullable QueueRetries retries) {
		ShardStatus there = (status != null && status.isThere()) ? status : null;
		Duration unattended = (status != null) ? status.unattended() : null;
		return new ShardDescriptor(queue, state(status), (there != null) ? there.messages() : null,
				(there != null) ? there.consumers() : null, (unattended != null) ? unattended.toMillis() : null,
				lastDeliveryHere, (retries != null) ? retries.heldKeys() : null,
				(retries != null) ? retries.heldMessages() : null, (retries != null) ? retries.retried() : null,
				(retries != null) ? retries.deadLettered() : null);
	}

	private static String state(@Nullable ShardStatus status) {
		if (status == null) {
			return "unknown";
		}
		if (!status.isThere()) {
			return "missing";
		}
		if (status.unattended() != null) {
			return "unattended";
		}
		return (status.consumers() > 0) ? "attended" : "idle";
	}

}
