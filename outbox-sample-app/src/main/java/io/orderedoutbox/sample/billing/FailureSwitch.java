/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.billing;

import java.util.Optional;
import java.util.UUID;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Says for which orders the handler fails. It is in the database, because any instance
 * may be the one that consumes.
 */
@Component
class FailureSwitch {

	private final JdbcClient jdbc;

	FailureSwitch(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	@Transactional
	void turnOn(Failing failing) {
		UUID orderId = failing.orderId();
		turnOff();
		this.jdbc.sql("INSERT INTO billing_failure (id, order_id, one_in) VALUES (1, :orderId, :oneIn)")
			.param("orderId", (orderId != null) ? orderId.toString() : null)
			.param("oneIn", failing.oneIn())
			.update();
	}

	void turnOff() {
		this.jdbc.sql("DELETE FROM billing_failure").update();
	}

	Optional<Failing> find() {
		return this.jdbc.sql("SELECT order_id, one_in FROM billing_failure").query((row, number) -> {
			String orderId = row.getString("order_id");
			return new Failing((orderId != null) ? UUID.fromString(orderId) : null,
					row.getObject("one_in", Integer.class));
		}).optional();
	}

	/**
	 * Fail if the handler is to fail for an order.
	 * @throws FailedOnPurposeException if so
	 */
	void failFor(UUID orderId) {
		if (find().filter((failing) -> failing.isFor(orderId)).isPresent()) {
			throw new FailedOnPurposeException(orderId);
		}
	}

}
