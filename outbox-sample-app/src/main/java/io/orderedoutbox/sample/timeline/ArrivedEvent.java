/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.timeline;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * One delivery of an event.
 *
 * @param number the order of arrival over all orders
 * @param version the position of the event in its order
 * @param name the name of the message, null if it came without
 * @param messageId the id of the message, the same for each of its deliveries; null if it
 * came without
 * @param verdict what the consumer thought of it
 * @param arrivedAt when it arrived, by the clock of the database
 */
public record ArrivedEvent(long number, long version, @Nullable String name, @Nullable String messageId,
		Verdict verdict, Instant arrivedAt) {
}
