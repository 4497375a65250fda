/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.orderedoutbox.publish.RoutingStrategy;
import io.orderedoutbox.routing.MessageNamePatterns;

/**
 * Where the messages of one sender go.
 *
 * @param sender the name of the bean that sends
 * @param strategy says where they go
 */
public record SenderRouting(String sender, RoutingStrategy strategy) {

	/**
	 * Return the strategy that asks, for each message, the one of the sender that it will
	 * go through.
	 * @param properties which sender that is
	 * @param routings the strategies of senders
	 * @param otherwise the strategy for all other senders
	 */
	static RoutingStrategy of(OutboxSenderProperties properties, List<SenderRouting> routings,
			RoutingStrategy otherwise) {
		Map<String, RoutingStrategy> bySender = routings.stream()
			.collect(Collectors.toMap(SenderRouting::sender, SenderRouting::strategy));
		if (bySender.isEmpty()) {
			return otherwise;
		}
		MessageNamePatterns<String> senders = properties.beans();
		return (publication) -> bySender.getOrDefault(senders.of(publication.name()), otherwise).route(publication);
	}

}
