/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.oracle;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Delivery;

/**
 * Makes an arrival of a delivery.
 */
final class ArrivalReader {

	private static final Pattern BODY = Pattern.compile("\\{\"key\":\"([^\"]*)\",\"version\":(\\d+),.*");

	// Added by a quorum queue to what it delivers once more
	private static final Set<String> HEADERS_OF_THE_QUEUE = Set.of("x-delivery-count", "x-acquired-count");

	private final Map<String, String> keys = new ConcurrentHashMap<>();

	Arrival read(Delivery delivery, int session) {
		BasicProperties properties = delivery.getProperties();
		Matcher body = BODY.matcher(new String(delivery.getBody(), StandardCharsets.UTF_8));
		boolean readable = body.matches();
		String key = readable ? body.group(1) : "";
		return new Arrival(UUID.fromString(properties.getMessageId()), this.keys.computeIfAbsent(key, (any) -> key),
				readable ? Long.parseLong(body.group(2)) : -1, digest(delivery, properties), System.nanoTime(), session,
				delivery.getEnvelope().isRedeliver());
	}

	/**
	 * An arrival by the only connection that there is.
	 * @param digest of all but the body
	 */
	Arrival read(UUID messageId, byte[] content, int digest) {
		Matcher body = BODY.matcher(new String(content, StandardCharsets.UTF_8));
		boolean readable = body.matches();
		String key = readable ? body.group(1) : "";
		return new Arrival(messageId, this.keys.computeIfAbsent(key, (any) -> key),
				readable ? Long.parseLong(body.group(2)) : -1, 31 * digest + Arrays.hashCode(content),
				System.nanoTime(), 1, false);
	}

	private static int digest(Delivery delivery, BasicProperties properties) {
		Map<String, String> headers = new HashMap<>();
		if (properties.getHeaders() != null) {
			properties.getHeaders().forEach((name, value) -> headers.put(name, String.valueOf(value)));
		}
		headers.keySet().removeAll(HEADERS_OF_THE_QUEUE);
		return Objects.hash(Arrays.hashCode(delivery.getBody()), delivery.getEnvelope().getExchange(),
				delivery.getEnvelope().getRoutingKey(), properties.getType(), properties.getContentType(),
				properties.getTimestamp(), properties.getDeliveryMode(), properties.getCorrelationId(), headers);
	}

}
