/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.scenario;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("unit")
class FigureTests {

	private static final Duration LIMIT = Duration.ofSeconds(2);

	@Test
	void theLongestTimeDecides() {
		Figure figure = Figure.longest("taking over", List.of(Duration.ofMillis(2100), Duration.ofMillis(300)), LIMIT);
		assertThat(figure.kept()).isFalse();
		assertThat(figure)
			.hasToString("FAIL  taking over: 2.10 s (longest of 2: 0.30 s, 2.10 s) (must be: at most 2.00 s)");
	}

	@Test
	void theLimitItselfIsAllowed() {
		assertThat(Figure.longest("taking over", List.of(LIMIT), LIMIT).kept()).isTrue();
	}

	@Test
	void whatMustNotHappenMustNotHappenOnce() {
		assertThat(Figure.none("lost", 0).kept()).isTrue();
		assertThat(Figure.none("lost", 1).kept()).isFalse();
	}

}
