package io.orderedoutbox.rabbit;

import io.orderedoutbox.publish.Publication;
import io.orderedoutbox.publish.Route;
import io.orderedoutbox.publish.RoutingStrategy;

/**
 * Around the strategy of the application, where messages are sent as CloudEvents: refuses
 * headers that would make a message no valid CloudEvent. So the transaction fails that
 * publishes, and not each consumer.
 */
public final class CloudEventRouting implements RoutingStrategy {

	private final RoutingStrategy routing;

	/**
	 * Create a strategy.
	 * @param routing chooses the route
	 */
	public CloudEventRouting(RoutingStrategy routing) {
		this.routing = routing;
	}

	@Override
	public Route route(Publication publication) {
		publication.headers().forEach(CloudEventAttributes::requireAttribute);
		Route route = this.routing.route(publication);
		route.headers().forEach(CloudEventAttributes::requireAttribute);
		return route;
	}

}
