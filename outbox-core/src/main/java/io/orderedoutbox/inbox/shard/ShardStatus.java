/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.shard;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What the broker has said of a queue.
 *
 * @param queue the name of the queue
 * @param isThere whether there is such a queue
 * @param messages how many messages wait in it; those that a consumer has fetched and not
 * acknowledged are not among them
 * @param consumers how many consumers the broker hands them to, whatever instance they
 * belong to: one, or none. Those that stand by are not among them
 * @param unattended for how long every look has found messages and no consumer, or no
 * such queue; null if the last look has found neither
 */
public record ShardStatus(String queue, boolean isThere, long messages, long consumers, @Nullable Duration unattended) {

}
