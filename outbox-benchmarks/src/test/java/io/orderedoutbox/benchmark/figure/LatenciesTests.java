/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.figure;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("unit")
class LatenciesTests {

	// What three digits leave
	private static final Percentage NEARLY = Percentage.withPercentage(0.1);

	@Test
	void aPartWasDoneWithinTheTimeOfItsLast() {
		Latencies latencies = new Latencies();
		for (int number = 0; number < 100; number++) {
			latencies.note((100 - number) * 1_000_000L);
		}
		assertThat(latencies.millis(0.5)).isCloseTo(50, NEARLY);
		assertThat(latencies.millis(0.99)).isCloseTo(99, NEARLY);
		assertThat(latencies.millis(1)).isCloseTo(100, NEARLY);
	}

	@Test
	void oneSlowOneInAHundredIsBeyondThe99thPercentileOnlyIfThereIsNoOther() {
		assertThat(of(99, 7).millis(0.99)).isZero();
		assertThat(of(98, 7, 8).millis(0.99)).isCloseTo(7, NEARLY);
	}

	private static Latencies of(int fast, int... slowMillis) {
		Latencies latencies = new Latencies();
		for (int number = 0; number < fast; number++) {
			latencies.note(0);
		}
		for (int slow : slowMillis) {
			latencies.note(slow * 1_000_000L);
		}
		return latencies;
	}

}
