/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox;

import java.nio.charset.StandardCharsets;

/**
 * Where a message goes: fixed when it is published, so that a later change of
 * configuration does not redirect what is already stored.
 *
 * @param exchange the exchange; empty for the default exchange, which routes to the queue
 * named by the routing key; at most 255 bytes in UTF-8
 * @param routingKey the routing key, may be empty; at most 255 bytes in UTF-8
 */
public record Destination(String exchange, String routingKey) {

	private static final int MOST_BYTES_OF_A_CHAR = 3;

	/**
	 * Create a destination.
	 * @throws IllegalArgumentException if a part is null, longer than AMQP allows, or
	 * cannot be encoded as UTF-8
	 */
	public Destination {
		Require.that(fits(exchange), () -> "'exchange' must not be null or longer than 255 bytes: " + exchange);
		Require.that(fits(routingKey), () -> "'routingKey' must not be null or longer than 255 bytes: " + routingKey);
		Require.encodable(exchange, () -> "'exchange'");
		Require.encodable(routingKey, () -> "'routingKey'");
	}

	@SuppressWarnings("ConstantValue") // callers without null checks are told here, not
										// by the broker
	private static boolean fits(String part) {
		return part != null
				&& (part.length() * MOST_BYTES_OF_A_CHAR <= 255 || part.getBytes(StandardCharsets.UTF_8).length <= 255);
	}

}
