/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.testing;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;

/**
 * An event for which tests have no route, or a broken one.
 */
@OutboxMessage("order.lost")
public record OrderLost(@PartitionKey String orderId, int version) {

}
