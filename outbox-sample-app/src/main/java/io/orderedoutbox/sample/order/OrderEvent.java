/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.order;

import java.util.UUID;

/**
 * Something that happened to an order. The version numbers the events of one order from 1
 * without a hole, in the order of their commits: the consumer can tell by it whether
 * anything was overtaken or is missing.
 */
public sealed interface OrderEvent permits OrderPlaced, OrderLineAdded, OrderShipped, OrderCancelled {

	/**
	 * Return the order that changed: the partition key of the message.
	 * @return the id of the order
	 */
	UUID orderId();

	/**
	 * Return the position of this event among the events of its order.
	 * @return the version, 1 for the first
	 */
	long version();

}
