/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.timeline;

import java.util.Objects;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.sample.order.OrderEvent;

import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Writes down each event in the transaction that publishes it. It does not know the
 * outbox and the outbox does not know it: what is in here and does not arrive was lost,
 * what arrives and is not in here was never committed.
 */
@Component
class Ledger {

	private final JdbcClient jdbc;

	Ledger(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	@EventListener
	void record(OrderEvent event) {
		OutboxMessage message = Objects.requireNonNull(event.getClass().getAnnotation(OutboxMessage.class));
		this.jdbc.sql("""
				INSERT INTO committed_event (order_id, version, name, recorded_at)
				VALUES (:orderId, :version, :name, UTC_TIMESTAMP(6))
				""")
			.param("orderId", event.orderId().toString())
			.param("version", event.version())
			.param("name", message.value())
			.update();
	}

}
