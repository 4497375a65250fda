/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.testing;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;

/**
 * An event as an application would write it.
 */
@OutboxMessage("order.placed")
public record OrderPlaced(@PartitionKey String orderId, int version) {

}
