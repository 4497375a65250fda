/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.order;

import java.util.Locale;

/**
 * Thrown when an order cannot be changed any more.
 */
public final class OrderClosedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	OrderClosedException(Order order) {
		super("Order #%d is %s and cannot be changed any more".formatted(order.number(),
				order.status().name().toLowerCase(Locale.ROOT)));
	}

}
