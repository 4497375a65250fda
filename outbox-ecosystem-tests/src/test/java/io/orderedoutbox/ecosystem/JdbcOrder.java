/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.ecosystem;

import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.domain.AbstractAggregateRoot;
import org.springframework.data.relational.core.mapping.Table;

/**
 * An aggregate of Spring Data JDBC, with the base class of Spring Data.
 */
@Table("shop_order")
class JdbcOrder extends AbstractAggregateRoot<JdbcOrder> implements Order {

	@Id
	private String id;

	// Tells what is new
	@Version
	private Integer version;

	private String reference;

	protected JdbcOrder() {
	}

	JdbcOrder(String id, String reference) {
		this.id = id;
		this.reference = reference;
	}

	@Override
	public void change(OrderChanged event) {
		registerEvent(event);
	}

}
