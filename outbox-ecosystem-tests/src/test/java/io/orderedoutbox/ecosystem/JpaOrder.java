/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.ecosystem;

import java.util.ArrayList;
import java.util.List;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Transient;
import jakarta.persistence.Version;

import org.springframework.data.domain.AfterDomainEventPublication;
import org.springframework.data.domain.DomainEvents;

/**
 * An aggregate of JPA, with the annotations of Spring Data and no base class.
 */
@Entity
@Table(name = "shop_order")
class JpaOrder implements Order {

	@Id
	private String id;

	@Version
	private Integer version;

	@Column(unique = true)
	private String reference;

	@Transient
	private final List<OrderChanged> events = new ArrayList<>();

	protected JpaOrder() {
	}

	JpaOrder(String id, String reference) {
		this.id = id;
		this.reference = reference;
	}

	@Override
	public void change(OrderChanged event) {
		this.events.add(event);
	}

	@DomainEvents
	List<OrderChanged> events() {
		return List.copyOf(this.events);
	}

	@AfterDomainEventPublication
	void forget() {
		this.events.clear();
	}

}
