/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.order;

import java.util.UUID;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;

/**
 * An order was cancelled: the last event of its order.
 *
 * @param orderId the order
 * @param version the version of the order after the change
 */
@OutboxMessage("order.cancelled")
public record OrderCancelled(@PartitionKey UUID orderId, long version) implements OrderEvent {
}
