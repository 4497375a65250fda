/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test.shop;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;

@OutboxMessage("order.shipped")
public record OrderShipped(@PartitionKey long orderId) implements OrderEvent {

}
