/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

import io.orderedoutbox.Destination;
import io.orderedoutbox.publish.Publication;
import io.orderedoutbox.publish.Route;
import io.orderedoutbox.rabbit.RabbitRoutingStrategy.RouteOverride;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Convention, annotation and property, and who wins.
 */
@Tag("unit")
class RabbitRoutingStrategyTests {

	private final Map<String, RouteOverride> routes = new HashMap<>();

	private String routingKey = "{name}";

	@Test
	void conventionIsOneExchangeAndTheNameAsRoutingKey() {
		assertThat(route(new Plain())).isEqualTo(new Destination("events", "the.name"));
	}

	@Test
	void annotationWinsOverTheConventionPartByPart() {
		assertThat(route(new Elsewhere())).isEqualTo(new Destination("audit", "everything"));
		assertThat(route(new OtherExchange())).isEqualTo(new Destination("audit", "the.name"));
		assertThat(route(new OtherKey())).isEqualTo(new Destination("events", "everything"));
		assertThat(route(new Inheriting())).isEqualTo(new Destination("audit", "the.name"));
	}

	@Test
	void propertyWinsOverTheAnnotationPartByPart() {
		this.routes.put("the.name", new RouteOverride("configured", null));
		assertThat(route(new Elsewhere())).isEqualTo(new Destination("configured", "everything"));
		this.routes.put("the.name", new RouteOverride(null, "configured"));
		assertThat(route(new Elsewhere())).isEqualTo(new Destination("audit", "configured"));
		assertThat(route(new Plain())).isEqualTo(new Destination("events", "configured"));
	}

	@Test
	void emptyPropertyMeansTheDefaultExchange() {
		this.routes.put("the.name", new RouteOverride("", "queue"));
		assertThat(route(new Elsewhere())).isEqualTo(new Destination("", "queue"));
	}

	@Test
	void nameAndPartitionCanBePartsOfARoutingKey() {
		this.routingKey = "v1.{partition}.{name}";
		assertThat(route(new Plain())).isEqualTo(new Destination("events", "v1.17.the.name"));
		this.routes.put("the.name", new RouteOverride("shards", "{partition}"));
		assertThat(route(new Elsewhere())).isEqualTo(new Destination("shards", "17"));
	}

	@Test
	void routesOfOtherNamesDoNotMatter() {
		this.routes.put("the.name.too", new RouteOverride("configured", "configured"));
		assertThat(route(new Plain())).isEqualTo(new Destination("events", "the.name"));
	}

	@Test
	void destinationMustFitShortStrings() {
		assertThat(new Destination("é".repeat(127), "é".repeat(127)).exchange()).hasSize(127);
		assertThatIllegalArgumentException().isThrownBy(() -> new Destination("é".repeat(128), "k"))
			.withMessageContaining("'exchange'");
		assertThatIllegalArgumentException().isThrownBy(() -> new Destination("e", "k".repeat(256)))
			.withMessageContaining("'routingKey'");
		assertThatIllegalArgumentException().isThrownBy(() -> new Destination(null, "k"));
	}

	private Destination route(Object event) {
		Route route = new RabbitRoutingStrategy("events", this.routingKey, this.routes)
			.route(new Publication(new UUID(0, 1), "the.name", event, "key", 17, Map.of()));
		assertThat(route.headers()).isEmpty();
		return route.destination();
	}

	record Plain() {

	}

	@RabbitDestination(exchange = "audit", routingKey = "everything")
	record Elsewhere() {

	}

	@RabbitDestination(exchange = "audit")
	static class OtherExchange {

	}

	static class Inheriting extends OtherExchange {

	}

	@RabbitDestination(routingKey = "everything")
	record OtherKey() {

	}

}
