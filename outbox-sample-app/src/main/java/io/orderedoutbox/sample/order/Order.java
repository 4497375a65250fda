/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.order;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.UUID;

/**
 * An order as it is stored.
 *
 * @param id the id, and partition key of its events
 * @param number a number for people, higher for newer orders
 * @param customer who placed it
 * @param status the state
 * @param total what it costs
 * @param version how often it has changed, placing it included
 * @param placedAt when it was placed
 */
public record Order(UUID id, long number, String customer, OrderStatus status, BigDecimal total, long version,
		Instant placedAt) {
}
