/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.order;

/**
 * State of an order.
 */
public enum OrderStatus {

	/**
	 * The order can still be changed.
	 */
	OPEN,

	/**
	 * The goods have left.
	 */
	SHIPPED,

	/**
	 * The customer does not want it any more.
	 */
	CANCELLED

}
