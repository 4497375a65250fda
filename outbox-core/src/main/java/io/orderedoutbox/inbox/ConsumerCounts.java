/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

import java.time.Instant;
import java.util.Map;

/**
 * What has become of the messages of a consumer since the start.
 *
 * @param consumer the name of the consumer
 * @param counts how many deliveries had each outcome
 * @param lastDelivery when the last one ended, by the clock of this instance
 */
public record ConsumerCounts(String consumer, Map<InboxOutcome, Long> counts, Instant lastDelivery) {

	/**
	 * Return how many deliveries had an outcome.
	 * @param outcome the outcome
	 * @return how many
	 */
	public long of(InboxOutcome outcome) {
		return this.counts.getOrDefault(outcome, 0L);
	}

}
