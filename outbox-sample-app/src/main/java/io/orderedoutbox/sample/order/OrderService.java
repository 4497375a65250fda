/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.order;

import java.math.BigDecimal;
import java.util.List;
import java.util.UUID;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.util.Assert;

/**
 * Places and changes orders. Each change publishes one event in its own transaction, and
 * that is all it has to do for the event to reach RabbitMQ, in order.
 */
@Service
@Transactional
public class OrderService {

	private final OrderRepository orders;

	private final ApplicationEventPublisher events;

	OrderService(OrderRepository orders, ApplicationEventPublisher events) {
		this.orders = orders;
		this.events = events;
	}

	/**
	 * Place an order.
	 * @param customer who places it
	 * @param lines what is ordered, at least one line
	 * @return the id of the new order
	 * @throws IllegalArgumentException if the customer is empty or too long, or there is
	 * no line
	 */
	public UUID place(String customer, List<OrderLine> lines) {
		Assert.hasText(customer, "'customer' must not be empty");
		Assert.isTrue(customer.length() <= 100, "'customer' must not be longer than 100 characters");
		Assert.isTrue(!lines.isEmpty() && lines.size() <= 100, "'lines' must have between 1 and 100 elements");
		UUID id = UUID.randomUUID();
		BigDecimal total = lines.stream().map(OrderLine::total).reduce(BigDecimal.ZERO, BigDecimal::add);
		this.orders.insert(id, customer, total);
		lines.forEach((line) -> this.orders.insertLine(id, 1, line));
		this.events.publishEvent(new OrderPlaced(id, 1, customer, total));
		return id;
	}

	/**
	 * Add a line to an order.
	 * @param id the order
	 * @param line the line
	 * @throws OrderNotFoundException if there is no such order
	 * @throws OrderClosedException if it was shipped or cancelled
	 */
	public void addLine(UUID id, OrderLine line) {
		Order order = findOpen(id);
		long version = order.version() + 1;
		BigDecimal total = order.total().add(line.total());
		this.orders.insertLine(id, version, line);
		this.orders.update(id, OrderStatus.OPEN, total, version);
		this.events.publishEvent(new OrderLineAdded(id, version, line, total));
	}

	/**
	 * Ship an order.
	 * @param id the order
	 * @throws OrderNotFoundException if there is no such order
	 * @throws OrderClosedException if it was shipped or cancelled
	 */
	public void ship(UUID id) {
		Order order = findOpen(id);
		this.orders.update(id, OrderStatus.SHIPPED, order.total(), order.version() + 1);
		this.events.publishEvent(new OrderShipped(id, order.version() + 1));
	}

	/**
	 * Cancel an order.
	 * @param id the order
	 * @throws OrderNotFoundException if there is no such order
	 * @throws OrderClosedException if it was shipped or cancelled
	 */
	public void cancel(UUID id) {
		Order order = findOpen(id);
		this.orders.update(id, OrderStatus.CANCELLED, order.total(), order.version() + 1);
		this.events.publishEvent(new OrderCancelled(id, order.version() + 1));
	}

	/**
	 * Return an order.
	 * @param id the order
	 * @return the order
	 * @throws OrderNotFoundException if there is no such order
	 */
	@Transactional(readOnly = true)
	public Order find(UUID id) {
		return this.orders.find(id).orElseThrow(() -> new OrderNotFoundException(id));
	}

	/**
	 * Return the lines of an order.
	 * @param id the order
	 * @return its lines in the order in which they were added
	 */
	@Transactional(readOnly = true)
	public List<OrderLine> findLines(UUID id) {
		return this.orders.findLines(id);
	}

	/**
	 * Return the newest orders.
	 * @param limit how many at most
	 * @return the orders, newest first
	 */
	@Transactional(readOnly = true)
	public List<Order> findNewest(int limit) {
		return this.orders.findNewest(limit);
	}

	private Order findOpen(UUID id) {
		Order order = this.orders.findAndLock(id).orElseThrow(() -> new OrderNotFoundException(id));
		if (order.status() != OrderStatus.OPEN) {
			throw new OrderClosedException(order);
		}
		return order;
	}

}
