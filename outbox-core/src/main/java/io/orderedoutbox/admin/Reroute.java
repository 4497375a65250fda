/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.admin;

import io.orderedoutbox.Destination;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * From which destination to which other one messages are rerouted.
 *
 * @param fromExchange only messages that go to this exchange, empty for the default
 * exchange; {@code null} for any exchange
 * @param fromRoutingKey only messages with this routing key; {@code null} for any
 * @param toExchange the exchange they go to from now on, {@code null} to keep theirs
 * @param toRoutingKey the routing key they have from now on, {@code null} to keep theirs
 */
public record Reroute(@Nullable String fromExchange, @Nullable String fromRoutingKey, @Nullable String toExchange,
		@Nullable String toRoutingKey) {

	/**
	 * Create it.
	 * @throws IllegalArgumentException if nothing would change, or if a name is longer
	 * than AMQP allows
	 */
	public Reroute {
		new Destination(orEmpty(fromExchange), orEmpty(fromRoutingKey));
		new Destination(orEmpty(toExchange), orEmpty(toRoutingKey));
		Assert.isTrue(toExchange != null || toRoutingKey != null,
				"Say where the messages are to go: 'toExchange', 'toRoutingKey' or both must be given");
		boolean changes = (toExchange != null && !toExchange.equals(fromExchange))
				|| (toRoutingKey != null && !toRoutingKey.equals(fromRoutingKey));
		Assert.isTrue(changes, "The messages that are meant go there already: nothing would change");
	}

	private static String orEmpty(@Nullable String part) {
		return (part != null) ? part : "";
	}

	/**
	 * From one exchange to another; the routing keys stay.
	 * @param from the exchange that the messages go to so far
	 * @param to the exchange that they go to from now on
	 * @return what to do
	 */
	public static Reroute exchange(String from, String to) {
		return new Reroute(from, null, to, null);
	}

	/**
	 * From anywhere to a destination.
	 * @param destination where the messages go from now on
	 * @return what to do
	 */
	public static Reroute to(Destination destination) {
		return new Reroute(null, null, destination.exchange(), destination.routingKey());
	}

	/**
	 * Return how it is named in logs, on one line.
	 */
	@Override
	public String toString() {
		String from = named(this.fromExchange, this.fromRoutingKey);
		return (from.isEmpty() ? "" : "from" + from + " ") + "to" + named(this.toExchange, this.toRoutingKey);
	}

	private static String named(@Nullable String exchange, @Nullable String routingKey) {
		return ((exchange != null) ? " exchange '" + printable(exchange) + "'" : "")
				+ ((routingKey != null) ? " routing key '" + printable(routingKey) + "'" : "");
	}

	private static String printable(String name) {
		return name.replaceAll("\\p{Cntrl}", "?");
	}

}
