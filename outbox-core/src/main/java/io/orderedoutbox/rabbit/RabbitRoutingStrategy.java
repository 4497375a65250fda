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
 * properties and then by {@link RabbitDestination}.
 */
public final class RabbitRoutingStrategy implements RoutingStrategy {

	private final String exchange;

	private final Map<String, RouteOverride> overrides;

	/**
	 * Create a strategy.
	 * @param exchange the exchange for messages that have no other
	 * @param overrides what properties say, by message name
	 */
	public RabbitRoutingStrategy(String exchange, Map<String, RouteOverride> overrides) {
		this.exchange = exchange;
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
				publication.name());
		return Route.to(exchange, routingKey);
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
