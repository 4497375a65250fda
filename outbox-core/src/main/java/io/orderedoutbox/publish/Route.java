/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import io.orderedoutbox.Destination;
import io.orderedoutbox.HeaderStamp;
import io.orderedoutbox.store.Message;

import org.springframework.util.Assert;

/**
 * Where a message goes, and what a {@link RoutingStrategy} lets it carry. For example
 * {@code Route.to("shop", publication.name()).withHeader("tenant", 17).withPriority(5)}.
 *
 * @param destination where the message goes
 * @param headers headers, besides those of stamps, correlation and trace, which win where
 * a name is the same. AMQP properties are among them, under the names that
 * {@link Message} knows
 */
public record Route(Destination destination, Map<String, Object> headers) {

	private static final int GREATEST_PRIORITY = 255;

	/**
	 * Create a route.
	 */
	public Route {
		headers = Map.copyOf(headers);
	}

	/**
	 * Return a route.
	 * @param exchange the exchange; empty for the default exchange
	 * @param routingKey the routing key
	 * @return a route that adds nothing to the message
	 */
	public static Route to(String exchange, String routingKey) {
		return to(new Destination(exchange, routingKey));
	}

	/**
	 * Return a route.
	 * @param destination where the message goes
	 * @return a route that adds nothing to the message
	 */
	public static Route to(Destination destination) {
		return new Route(destination, Map.of());
	}

	/**
	 * Return this route with one more header.
	 * @param name the name, which must not be one that {@link HeaderStamp} refuses
	 * @param value text, a truth value, or a number. On the wire whole numbers are signed
	 * 64-bit integers, others are double-precision
	 * @return the route
	 * @throws IllegalArgumentException if the name is reserved, or the value is of
	 * another type, or not a finite number
	 */
	public Route withHeader(String name, Object value) {
		Object stored = stored(name, value);
		HeaderStamp.of(name, (stored instanceof String text) ? text : "");
		return with(name, stored);
	}

	private static Object stored(String name, Object value) {
		if (value instanceof Byte || value instanceof Short || value instanceof Integer || value instanceof Long) {
			return ((Number) value).longValue();
		}
		if ((value instanceof Double || value instanceof Float) && Double.isFinite(((Number) value).doubleValue())) {
			return ((Number) value).doubleValue();
		}
		Assert.isTrue(value instanceof String || value instanceof Boolean,
				() -> "Header '%s' must be text, a truth value, or a finite number, but is a %s: convert it to text"
					.formatted(name, (value != null) ? value.getClass().getName() : null));
		return value;
	}

	/**
	 * Return this route with a priority, for queues that have {@code x-max-priority}. A
	 * queue with priorities hands out messages of one partition key out of order, unless
	 * they all have the same.
	 * @param priority from 0 to 255
	 * @return the route
	 */
	public Route withPriority(int priority) {
		Assert.isTrue(priority >= 0 && priority <= GREATEST_PRIORITY,
				() -> "'priority' must be between 0 and 255, but is " + priority);
		return with(Message.PRIORITY, (long) priority);
	}

	/**
	 * Return this route with a time after which a queue drops the message, counted from
	 * its arrival there.
	 * @param expiration at least a millisecond
	 * @return the route
	 */
	public Route withExpiration(Duration expiration) {
		Assert.isTrue(expiration.toMillis() > 0,
				() -> "'expiration' must be at least a millisecond, but is " + expiration);
		return with(Message.EXPIRATION, String.valueOf(expiration.toMillis()));
	}

	/**
	 * Return this route with the AMQP property {@code app_id}.
	 * @param appId the id, at most 255 bytes in UTF-8
	 * @return the route
	 */
	public Route withAppId(String appId) {
		return with(Message.APP_ID, shortText("appId", appId));
	}

	/**
	 * Return this route with the AMQP property {@code correlation_id}. It has nothing to
	 * do with the header of {@link io.orderedoutbox.Correlation}.
	 * @param correlationId the id, at most 255 bytes in UTF-8
	 * @return the route
	 */
	public Route withCorrelationId(String correlationId) {
		return with(Message.CORRELATION_ID, shortText("correlationId", correlationId));
	}

	// A destination holds its parts to the same rules
	private static String shortText(String what, String text) {
		try {
			return new Destination(text, "").exchange();
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(
					"'%s' must not be null, longer than 255 bytes, or contain an unpaired surrogate: %s".formatted(what,
							text),
					ex);
		}
	}

	private Route with(String name, Object value) {
		Map<String, Object> more = new HashMap<>(this.headers);
		more.put(name, value);
		return new Route(this.destination, more);
	}

}
