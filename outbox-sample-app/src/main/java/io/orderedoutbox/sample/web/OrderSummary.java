/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.web;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.UUID;

import io.orderedoutbox.sample.order.Order;
import io.orderedoutbox.sample.order.OrderStatus;
import io.orderedoutbox.sample.timeline.OrderTimeline;

/**
 * An order and what became of its events.
 *
 * @param id the id of the order
 * @param number its number for people
 * @param customer who placed it
 * @param status its state
 * @param total what it costs
 * @param placedAt when it was placed
 * @param inOrder whether its events have arrived in order so far
 * @param complete whether all of them have arrived
 * @param events its events: committed and arrived
 */
record OrderSummary(UUID id, long number, String customer, OrderStatus status, BigDecimal total, Instant placedAt,
		boolean inOrder, boolean complete, EventViews events) {

	static OrderSummary of(Order order, OrderTimeline timeline) {
		return new OrderSummary(order.id(), order.number(), order.customer(), order.status(), order.total(),
				order.placedAt(), timeline.inOrder(), timeline.complete(), EventViews.of(timeline));
	}

}
