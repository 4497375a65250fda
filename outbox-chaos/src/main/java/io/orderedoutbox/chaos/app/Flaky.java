/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.app;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;

/**
 * A message to the second exchange.
 *
 * @param key what it is about
 * @param version of how many commits to its key it is the latest, zero if nobody counts
 * @param remark makes it as long as messages are
 */
@OutboxMessage("chaos.flaky")
record Flaky(@PartitionKey String key, long version, String remark) {

}
