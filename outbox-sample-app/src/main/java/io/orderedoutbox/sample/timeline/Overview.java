/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.timeline;

/**
 * The whole picture at one moment.
 *
 * @param depth messages in the outbox: committed, not confirmed by the broker yet
 * @param depthCapped whether there are more than {@code depth}
 * @param orders orders that were placed
 * @param ordersOutOfOrder orders with a violation
 * @param committed events that were committed
 * @param arrived committed events that have arrived, each counted once
 * @param duplicates deliveries beyond the first
 * @param violations deliveries that broke a promise
 */
public record Overview(long depth, boolean depthCapped, long orders, long ordersOutOfOrder, long committed,
		long arrived, long duplicates, long violations) {
}
