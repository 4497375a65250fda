/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import io.orderedoutbox.admin.ArchiveReplay;
import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.Reroute;
import io.orderedoutbox.admin.TimeRange;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * From where to where a client wants messages rerouted, or where to and how fast it wants
 * them replayed, as its request says.
 *
 * @param exchange the exchange that they go to
 * @param routingKey the routing key that they have
 * @param toExchange the exchange that they are to go to
 * @param toRoutingKey the routing key that they are to have
 * @param perSecond how many are replayed in a second
 */
public record RerouteRequest(@Nullable String exchange, @Nullable String routingKey, @Nullable String toExchange,
		@Nullable String toRoutingKey, @Nullable Integer perSecond) {

	static final RerouteRequest NONE = new RerouteRequest(null, null, null, null, null);

	boolean namesMessages() {
		return this.exchange != null || this.routingKey != null;
	}

	/**
	 * What is to be done.
	 * @throws IllegalArgumentException if that makes no sense
	 */
	Reroute reroute() {
		Assert.isTrue(this.perSecond == null, "'perSecond' is for 'replay' only");
		return new Reroute(this.exchange, this.routingKey, this.toExchange, this.toRoutingKey);
	}

	/**
	 * What is to be replayed.
	 * @throws IllegalArgumentException if that makes no sense
	 */
	ArchiveReplay replay(MessageSelection selection, TimeRange range) {
		Assert.isTrue(!namesMessages() && this.toRoutingKey == null,
				"'replay' takes 'toExchange' and 'perSecond', and no other destination");
		return new ArchiveReplay(selection, range, this.toExchange,
				(this.perSecond != null) ? this.perSecond : ArchiveReplay.DEFAULT_PER_SECOND);
	}

}
