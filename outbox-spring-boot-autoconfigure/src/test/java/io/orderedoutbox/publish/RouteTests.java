/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.orderedoutbox.Destination;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What a route can let a message carry, and what it refuses.
 */
@Tag("unit")
class RouteTests {

	private final Route route = Route.to("shop", "order.placed");

	@Test
	void addsNothingByItself() {
		assertThat(this.route.destination()).isEqualTo(new Destination("shop", "order.placed"));
		assertThat(this.route.headers()).isEmpty();
	}

	@Test
	void takesTextTruthValuesAndNumbers() {
		assertThat(this.route.withHeader("text", "Zürich")
			.withHeader("empty", "")
			.withHeader("flag", true)
			.withHeader("byte", (byte) 1)
			.withHeader("int", 2)
			.withHeader("long", 3L)
			.withHeader("float", 0.5f)
			.withHeader("double", 0.25)
			.headers())
			.isEqualTo(Map.of("text", "Zürich", "empty", "", "flag", true, "byte", 1L, "int", 2L, "long", 3L, "float",
					0.5, "double", 0.25));
	}

	static List<Object> otherValues() {
		return List.of(Double.NaN, Float.POSITIVE_INFINITY, BigDecimal.ONE, 'c', Duration.ZERO, List.of(), new byte[1]);
	}

	@ParameterizedTest
	@MethodSource("otherValues")
	void refusesOtherValues(Object value) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.route.withHeader("tenant", value))
			.withMessageContaining("'tenant'")
			.withMessageContaining(value.getClass().getName());
	}

	@Test
	void refusesNull() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.route.withHeader("tenant", null))
			.withMessageContaining("'tenant'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "x-message-id", "x-partition", "cc", "amqp:priority", " " })
	void refusesNamesThatAreReserved(String name) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.route.withHeader(name, 1));
	}

	@Test
	void refusesTextThatCannotBeEncoded() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.route.withHeader("tenant", "\ud83d"))
			.withMessageContaining("surrogate");
	}

	@Test
	void takesPropertiesWithinTheirRanges() {
		assertThat(this.route.withPriority(0).withPriority(255).headers())
			.containsExactly(Map.entry("amqp:priority", 255L));
		assertThat(this.route.withExpiration(Duration.ofSeconds(2)).headers()).containsEntry("amqp:expiration", "2000");
		assertThat(this.route.withAppId("shop").withCorrelationId("c").headers())
			.isEqualTo(Map.of("amqp:app-id", "shop", "amqp:correlation-id", "c"));
	}

	@Test
	void refusesPropertiesOutsideTheirRanges() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.route.withPriority(-1));
		assertThatIllegalArgumentException().isThrownBy(() -> this.route.withPriority(256))
			.withMessageContaining("'priority'");
		assertThatIllegalArgumentException().isThrownBy(() -> this.route.withExpiration(Duration.ofNanos(1)))
			.withMessageContaining("'expiration'");
		assertThatIllegalArgumentException().isThrownBy(() -> this.route.withAppId("é".repeat(128)))
			.withMessageContaining("'appId'");
		assertThatIllegalArgumentException().isThrownBy(() -> this.route.withCorrelationId(null))
			.withMessageContaining("'correlationId'");
	}

}
