package io.orderedoutbox.rabbit;

import java.util.Map;

import io.orderedoutbox.Destination;
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

	private final Map<String, Route> routes;

	/**
	 * Create a strategy.
	 * @param exchange the exchange for messages that have no other
	 * @param routes overrides by message name
	 */
	public RabbitRoutingStrategy(String exchange, Map<String, Route> routes) {
		this.exchange = exchange;
		this.routes = Map.copyOf(routes);
	}

	@Override
	public Destination route(String messageName, Class<?> eventType) {
		Route route = this.routes.getOrDefault(messageName, Route.NONE);
		RabbitDestination annotation = AnnotatedElementUtils.findMergedAnnotation(eventType, RabbitDestination.class);
		String exchange = first(route.exchange(), (annotation != null) ? annotation.exchange() : null, this.exchange);
		String routingKey = first(route.routingKey(), (annotation != null) ? annotation.routingKey() : null,
				messageName);
		return new Destination(exchange, routingKey);
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
	public record Route(@Nullable String exchange, @Nullable String routingKey) {

		private static final Route NONE = new Route(null, null);

	}

}
