/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test.shop;

import io.orderedoutbox.HeaderStamp;
import io.orderedoutbox.Outbox;
import io.orderedoutbox.Stamp;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * Publishes in all ways that there are.
 */
@Service
@Transactional
public class Orders {

	private final ApplicationEventPublisher events;

	private final Outbox outbox;

	public Orders(ApplicationEventPublisher events, Outbox outbox) {
		this.events = events;
		this.outbox = outbox;
	}

	public void place(long orderId) {
		this.events.publishEvent(new OrderPlaced(orderId));
	}

	public void ship(long orderId) {
		this.events.publishEvent(new OrderShipped(orderId));
	}

	public void placeOnTheWeb(long orderId) {
		publish(new OrderPlaced(orderId), HeaderStamp.of("channel", "web"));
	}

	public void publish(Object event, Stamp... stamps) {
		this.outbox.publish(event, stamps);
	}

	public void placeAndFail(long orderId) {
		place(orderId);
		throw new IllegalStateException("out of stock");
	}

	@Transactional(propagation = Propagation.REQUIRES_NEW)
	public void placeApart(long orderId) {
		place(orderId);
	}

	@Transactional(propagation = Propagation.NESTED)
	public void placeNestedAndFail(long orderId) {
		placeAndFail(orderId);
	}

}
