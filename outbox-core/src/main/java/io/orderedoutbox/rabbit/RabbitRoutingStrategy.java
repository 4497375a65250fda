/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.util.Map;

import io.orderedoutbox.publish.Publication;
import io.orderedoutbox.publish.Route;
import io.orderedoutbox.publish.RoutingStrategy;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.StringUtils;

/**
 * {@link RoutingStrategy} by convention: one exchange for all messages, and the name of
 * the message as routing key. Each of the two can be overridden for a message, first by
 * properties and then by {@link RabbitDestination}. In a routing key {@value #NAME}
 * stands for the name of the message, and {@value #PARTITION} for the number of its
 * partition.
 */
public final class RabbitRoutingStrategy implements RoutingStrategy {

	/**
	 * Stands for the name of a message.
	 */
	public static final String NAME = "{name}";

	/**
	 * Stands for the number of its partition.
	 */
	public static final String PARTITION = "{partition}";

	private final String exchange;

	private final String routingKey;

	private final Map<String, RouteOverride> overrides;

	/**
	 * Create a strategy.
	 * @param exchange the exchange for messages that have no other
	 * @param routingKey the routing key for messages that have no other
	 * @param overrides what properties say, by message name
	 */
	public RabbitRoutingStrategy(String exchange, String routingKey, Map<String, RouteOverride> overrides) {
		this.exchange = exchange;
		this.routingKey = routingKey;
		this.overrides = Map.copyOf(overrides);
	}

	@Override
	public Route route(Publication publication) {
		RouteOverride override = this.overrides.getOrDefault(publication.name(), RouteOverride.NONE);
		RabbitDestination annotation = AnnotatedElementUtils.findMergedAnnotation(publication.eventType(),
				RabbitDestination.class);
		String exchange = first(override.exchange(), (annotation != null) ? annotation.exchange() : null,
				this.exchange);
		String routingKey = first(override.routingKey(), (annotation != null) ? annotation.routingKey() : null,
				this.routingKey);
		return Route.to(exchange, routingKey.replace(NAME, publication.name())
			.replace(PARTITION, String.valueOf(publication.partition())));
	}

	private static String first(@Nullable String property, @Nullable String annotation, String convention) {
		if (property != null) {
			return property;
		}
		return StringUtils.hasLength(annotation) ? annotation : convention;
	}

	/**
	 * What properties say about the destination of a message.
	 *
	 * @param exchange Name of the exchange.
	 * @param routingKey Routing key.
	 */
	public record RouteOverride(@Nullable String exchange, @Nullable String routingKey) {

		private static final RouteOverride NONE = new RouteOverride(null, null);

	}

}
