/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.ecosystem;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;

/**
 * An event.
 */
@OutboxMessage("order.changed")
public record OrderChanged(@PartitionKey String order, int version) {

	/**
	 * What is sent of it.
	 */
	String text() {
		return "{\"order\":\"%s\",\"version\":%d}".formatted(this.order, this.version);
	}

}
