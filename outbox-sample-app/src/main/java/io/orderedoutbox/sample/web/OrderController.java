/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.web;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import io.orderedoutbox.sample.order.Order;
import io.orderedoutbox.sample.order.OrderLine;
import io.orderedoutbox.sample.order.OrderService;
import io.orderedoutbox.sample.timeline.OrderTimeline;
import io.orderedoutbox.sample.timeline.Timeline;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Orders over HTTP.
 */
@RestController
@RequestMapping("/api/orders")
class OrderController {

	private static final int SHOWN = 50;

	private final OrderService orders;

	private final Timeline timeline;

	OrderController(OrderService orders, Timeline timeline) {
		this.orders = orders;
		this.timeline = timeline;
	}

	@GetMapping
	List<OrderSummary> newest() {
		List<Order> newest = this.orders.findNewest(SHOWN);
		Map<UUID, OrderTimeline> timelines = this.timeline.of(newest.stream().map(Order::id).toList());
		return newest.stream().map((order) -> summary(order, timelines)).toList();
	}

	@GetMapping("/{id}")
	OrderDetail find(@PathVariable UUID id) {
		Order order = this.orders.find(id);
		return new OrderDetail(summary(order, this.timeline.of(List.of(id))), this.orders.findLines(id));
	}

	@PostMapping
	@ResponseStatus(HttpStatus.CREATED)
	OrderDetail place(@RequestBody PlaceOrderRequest request) {
		return find(this.orders.place(request.customer(), request.lines()));
	}

	@PostMapping("/{id}/lines")
	OrderDetail addLine(@PathVariable UUID id, @RequestBody OrderLine line) {
		this.orders.addLine(id, line);
		return find(id);
	}

	@PostMapping("/{id}/shipment")
	OrderDetail ship(@PathVariable UUID id) {
		this.orders.ship(id);
		return find(id);
	}

	@PostMapping("/{id}/cancellation")
	OrderDetail cancel(@PathVariable UUID id) {
		this.orders.cancel(id);
		return find(id);
	}

	private static OrderSummary summary(Order order, Map<UUID, OrderTimeline> timelines) {
		return OrderSummary.of(order, Objects.requireNonNull(timelines.get(order.id())));
	}

}
