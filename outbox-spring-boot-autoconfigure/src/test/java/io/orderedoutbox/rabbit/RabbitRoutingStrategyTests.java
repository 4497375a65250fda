package io.orderedoutbox.rabbit;

import java.util.HashMap;
import java.util.Map;

import io.orderedoutbox.Destination;
import io.orderedoutbox.rabbit.RabbitRoutingStrategy.Route;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Convention, annotation and property, and who wins.
 */
@Tag("unit")
class RabbitRoutingStrategyTests {

	private final Map<String, Route> routes = new HashMap<>();

	@Test
	void conventionIsOneExchangeAndTheNameAsRoutingKey() {
		assertThat(route(Plain.class)).isEqualTo(new Destination("events", "the.name"));
	}

	@Test
	void annotationWinsOverTheConventionPartByPart() {
		assertThat(route(Elsewhere.class)).isEqualTo(new Destination("audit", "everything"));
		assertThat(route(OtherExchange.class)).isEqualTo(new Destination("audit", "the.name"));
		assertThat(route(OtherKey.class)).isEqualTo(new Destination("events", "everything"));
		assertThat(route(Inheriting.class)).isEqualTo(new Destination("audit", "the.name"));
	}

	@Test
	void propertyWinsOverTheAnnotationPartByPart() {
		this.routes.put("the.name", new Route("configured", null));
		assertThat(route(Elsewhere.class)).isEqualTo(new Destination("configured", "everything"));
		this.routes.put("the.name", new Route(null, "configured"));
		assertThat(route(Elsewhere.class)).isEqualTo(new Destination("audit", "configured"));
		assertThat(route(Plain.class)).isEqualTo(new Destination("events", "configured"));
	}

	@Test
	void emptyPropertyMeansTheDefaultExchange() {
		this.routes.put("the.name", new Route("", "queue"));
		assertThat(route(Elsewhere.class)).isEqualTo(new Destination("", "queue"));
	}

	@Test
	void routesOfOtherNamesDoNotMatter() {
		this.routes.put("the.name.too", new Route("configured", "configured"));
		assertThat(route(Plain.class)).isEqualTo(new Destination("events", "the.name"));
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

	private Destination route(Class<?> type) {
		return new RabbitRoutingStrategy("events", this.routes).route("the.name", type);
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
