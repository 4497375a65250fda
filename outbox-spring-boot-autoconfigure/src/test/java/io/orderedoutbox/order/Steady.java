/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.order;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;

/**
 * A message that the broker always takes.
 *
 * @param key what it is about
 * @param version of how many commits to its key it is the latest, zero if nobody counts
 */
@OutboxMessage("fuzz.steady")
record Steady(@PartitionKey String key, long version) {

}
