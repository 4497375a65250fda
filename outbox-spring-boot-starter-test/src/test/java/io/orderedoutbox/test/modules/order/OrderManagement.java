/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test.modules.order;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
public class OrderManagement {

	private final ApplicationEventPublisher events;

	public OrderManagement(ApplicationEventPublisher events) {
		this.events = events;
	}

	@Transactional
	public void complete(String orderId) {
		this.events.publishEvent(new OrderCompleted(orderId));
	}

}
