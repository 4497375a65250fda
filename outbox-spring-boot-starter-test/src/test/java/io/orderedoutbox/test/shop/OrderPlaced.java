/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test.shop;

import java.math.BigDecimal;
import java.util.List;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;

@OutboxMessage("order.placed")
public record OrderPlaced(@PartitionKey long orderId, BigDecimal total, List<String> articles) implements OrderEvent {

	public OrderPlaced(long orderId) {
		this(orderId, new BigDecimal("9.90"), List.of("book", "pen"));
	}

}
