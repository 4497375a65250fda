/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.routing;

import java.util.Map;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which pattern fits a message name best.
 */
@Tag("unit")
class MessageNamePatternsTests {

	private final MessageNamePatterns<String> patterns = new MessageNamePatterns<>(
			Map.of("order.*", "orders", "order.placed", "exactly", "order.placed.*", "longer", "*.audit", "audit"),
			"others");

	@ParameterizedTest
	@CsvSource({ "order.placed, exactly", "order.changed, orders", "order.placed.again, longer", "user.audit, audit",
			"user.created, others", "orders, others" })
	void aNameComesBeforePatternsAndALongerPatternBeforeAShorterOne(String name, String expected) {
		assertThat(this.patterns.of(name)).isEqualTo(expected);
	}

}
