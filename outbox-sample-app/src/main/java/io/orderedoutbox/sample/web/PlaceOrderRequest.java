/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.web;

import java.util.List;

import io.orderedoutbox.sample.order.OrderLine;

import org.springframework.util.Assert;

/**
 * Body of a request that places an order.
 *
 * @param customer who places it
 * @param lines what is ordered
 */
record PlaceOrderRequest(String customer, List<OrderLine> lines) {

	PlaceOrderRequest {
		Assert.notNull(customer, "'customer' must be given");
		Assert.notNull(lines, "'lines' must be given");
		Assert.noNullElements(lines, "'lines' must not contain null");
	}

}
