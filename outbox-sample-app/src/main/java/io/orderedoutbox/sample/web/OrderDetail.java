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
