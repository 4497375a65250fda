/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.monitor;

import java.time.Instant;

import io.orderedoutbox.inbox.ConsumerCounts;
import io.orderedoutbox.inbox.InboxOutcome;

/**
 * What this instance has done with the messages of a consumer since the start.
 *
 * @param name the name of the consumer
 * @param processed how many messages it has processed
 * @param duplicates how many it had processed before
 * @param failed how many deliveries have failed
 * @param rejected how many messages it has refused, because they had no message id
 * @param lastDelivery when the last delivery ended, by the clock of the instance
 */
public record ConsumerDescriptor(String name, long processed, long duplicates, long failed, long rejected,
		Instant lastDelivery) {

	static ConsumerDescriptor of(ConsumerCounts counts) {
		return new ConsumerDescriptor(counts.consumer(), counts.of(InboxOutcome.PROCESSED),
				counts.of(InboxOutcome.DUPLICATE), counts.of(InboxOutcome.FAILED), counts.of(InboxOutcome.REJECTED),
				counts.lastDelivery());
	}

}
