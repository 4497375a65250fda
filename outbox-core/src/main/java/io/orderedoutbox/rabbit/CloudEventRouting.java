/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import io.orderedoutbox.publish.Publication;
import io.orderedoutbox.publish.Route;
import io.orderedoutbox.publish.RoutingStrategy;

/**
 * Around the strategy of the application, where messages are sent as CloudEvents: refuses
 * headers and keys that would make a message no valid CloudEvent. So the transaction
 * fails that publishes, and not each consumer.
 */
public final class CloudEventRouting implements RoutingStrategy {

	private final RoutingStrategy routing;

	private final boolean isKeyTold;

	/**
	 * Create a strategy.
	 * @param routing chooses the route
	 * @param isKeyTold whether consumers may know the partition key
	 */
	public CloudEventRouting(RoutingStrategy routing, boolean isKeyTold) {
		this.routing = routing;
		this.isKeyTold = isKeyTold;
	}

	@Override
	public Route route(Publication publication) {
		if (this.isKeyTold) {
			AttributeRules.requireKey(publication);
		}
		publication.headers().forEach(AttributeRules::requireAttribute);
		Route route = this.routing.route(publication);
		route.headers().forEach(AttributeRules::requireAttribute);
		return route;
	}

}
