/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.monitor;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The inbox and the queues of shards at a glance.
 *
 * @param consumers the consumers of this instance that a message was delivered to
 * @param shards the queues of shards, in their order
 * @param deadLetters the dead letters of shards, by the names of these
 * @param sampleAgeMillis how long ago the broker has said what is told of the queues,
 * {@code null} if that is not known
 * @param purgeFailingSince since when old records cannot be removed, {@code null} if they
 * can, or if there is no inbox
 * @param settings the properties that are in effect
 */
public record InboxDescriptor(List<ConsumerDescriptor> consumers, List<ShardDescriptor> shards,
		List<DeadLetterDescriptor> deadLetters, @Nullable Long sampleAgeMillis, @Nullable Instant purgeFailingSince,
		Map<String, String> settings) {

}
