/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.order;

import java.math.BigDecimal;
import java.util.UUID;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;

/**
 * A line was added to an order.
 *
 * @param orderId the order
 * @param version the version of the order after the change
 * @param line what was added
 * @param total what the order costs now
 */
@OutboxMessage("order.line-added")
public record OrderLineAdded(@PartitionKey UUID orderId, long version, OrderLine line,
		BigDecimal total) implements OrderEvent {
}
