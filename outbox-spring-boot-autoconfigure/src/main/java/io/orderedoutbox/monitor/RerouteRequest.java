package io.orderedoutbox.monitor;

import io.orderedoutbox.admin.Reroute;
import org.jspecify.annotations.Nullable;

/**
 * From where to where a client wants messages rerouted, as its request says.
 *
 * @param exchange the exchange that they go to
 * @param routingKey the routing key that they have
 * @param toExchange the exchange that they are to go to
 * @param toRoutingKey the routing key that they are to have
 */
public record RerouteRequest(@Nullable String exchange, @Nullable String routingKey, @Nullable String toExchange,
		@Nullable String toRoutingKey) {

	static final RerouteRequest NONE = new RerouteRequest(null, null, null, null);

	boolean namesMessages() {
		return this.exchange != null || this.routingKey != null;
	}

	/**
	 * What is to be done.
	 * @throws IllegalArgumentException if that makes no sense
	 */
	Reroute reroute() {
		return new Reroute(this.exchange, this.routingKey, this.toExchange, this.toRoutingKey);
	}

}
