/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.web;

import java.util.List;

import io.orderedoutbox.sample.order.OrderLine;

/**
 * An order with its lines.
 *
 * @param order the order
 * @param lines its lines
 */
record OrderDetail(OrderSummary order, List<OrderLine> lines) {
}
