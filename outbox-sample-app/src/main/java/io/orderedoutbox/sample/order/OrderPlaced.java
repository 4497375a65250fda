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
 * An order was placed.
 *
 * @param orderId the order
 * @param version the version of the order, always 1
 * @param customer who placed it
 * @param total what it costs
 */
@OutboxMessage("order.placed")
public record OrderPlaced(@PartitionKey UUID orderId, long version, String customer,
		BigDecimal total) implements OrderEvent {
}
