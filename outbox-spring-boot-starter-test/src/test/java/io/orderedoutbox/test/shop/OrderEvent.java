/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test.shop;

/**
 * What has happened to an order.
 */
public interface OrderEvent {

	long orderId();

}
