/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.order;

import java.time.Duration;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The fuzzer finds what it is there to find: each part that the order rests on is taken
 * away once. Which round finds it is left to chance, that one does is not: every round
 * alone does nearly always.
 */
@Tag("order")
@Tag("slow")
@Tag("thorough")
class OrderFuzzerSabotageTests {

	private static final int ROUNDS = 10;

	private static final FuzzerSettings CROWDED = new FuzzerSettings(OrderFuzzerTests.seed(), 6, 3, 1, 5, 12, 1_500,
			1_000, Duration.ofMillis(40), false, false, Duration.ZERO, Duration.ofSeconds(60));

	@Test
	void writersThatTakeNoStripesAreFound() {
		assertThat(found(CROWDED, Sabotage.NO_STRIPES)).as("found").isTrue();
	}

	@Test
	void headsThatExcludeWhatIsInFlightAreFound() {
		assertThat(found(CROWDED, Sabotage.TEXTBOOK_HEADS)).as("found").isTrue();
	}

	@Test
	void partitionsThatAreNotLockedAreFound() {
		FuzzerReport report = new OrderFuzzer(CROWDED, Sabotage.UNLOCKED_PARTITIONS).run();
		assertThat(report.duplicates()).as("duplicates, when no relay died").isPositive();
	}

	private static boolean found(FuzzerSettings settings, Sabotage sabotage) {
		for (int round = 0; round < ROUNDS; round++) {
			FuzzerReport report = new OrderFuzzer(settings.withSeed(settings.seed() + round), sabotage).run();
			if (report.violations().stream().anyMatch((violation) -> violation.contains(Oracle.OVERTAKING))) {
				return true;
			}
		}
		return false;
	}

}
