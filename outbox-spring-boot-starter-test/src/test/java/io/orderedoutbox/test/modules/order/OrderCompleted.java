/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test.modules.order;

import io.orderedoutbox.PartitionKey;

public record OrderCompleted(@PartitionKey String orderId) {

}
