/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.billing;

import java.math.BigDecimal;

import io.orderedoutbox.inbox.ProcessOnce;
import io.orderedoutbox.sample.order.OrderCancelled;
import io.orderedoutbox.sample.order.OrderEvent;
import io.orderedoutbox.sample.order.OrderLineAdded;
import io.orderedoutbox.sample.order.OrderPlaced;
import io.orderedoutbox.sample.order.OrderShipped;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitHandler;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

/**
 * Writes a line of an invoice for each event of an order. Line and record of the message
 * are committed together: see {@link ProcessOnce}.
 * <p>
 * What it does cannot be repeated, and depends on the order: a cancellation takes back
 * what was billed before it. A line that came twice, or later, would leave a wrong sum.
 */
@Component
@ConditionalOnProperty("sample.billing.enabled")
@ProcessOnce(BillingListener.NAME)
@RabbitListener(id = BillingListener.NAME, queues = "#{@shardQueues.names()}",
		containerFactory = "shardListenerContainerFactory")
class BillingListener {

	static final String NAME = "billing";

	private final Invoices invoices;

	private final FailureSwitch failures;

	private final LastMessages lastMessages;

	BillingListener(Invoices invoices, FailureSwitch failures, LastMessages lastMessages) {
		this.invoices = invoices;
		this.failures = failures;
		this.lastMessages = lastMessages;
	}

	@RabbitHandler
	void on(OrderPlaced event, Message message) {
		bill(event, event.total(), message);
	}

	@RabbitHandler
	void on(OrderLineAdded event, Message message) {
		bill(event, event.line().total(), message);
	}

	@RabbitHandler
	void on(OrderShipped event, Message message) {
		bill(event, BigDecimal.ZERO, message);
	}

	@RabbitHandler
	void on(OrderCancelled event, Message message) {
		bill(event, this.invoices.sumOf(event.orderId()).negate(), message);
	}

	// It fails after it has written: so it is seen that nothing stays of what failed
	private void bill(OrderEvent event, BigDecimal amount, Message message) {
		this.invoices.add(event.orderId(), event.version(), amount);
		this.failures.failFor(event.orderId());
		this.lastMessages.add(message);
	}

}
