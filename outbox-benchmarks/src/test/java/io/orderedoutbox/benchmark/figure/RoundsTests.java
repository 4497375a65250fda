/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.figure;

import io.orderedoutbox.benchmark.figure.Figure.Limit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@Tag("unit")
class RoundsTests {

	private final Rounds rounds = new Rounds();

	@Test
	void theMedianIsTheOneInTheMiddle() {
		add("drain", 900, 100, 200);
		assertThat(this.rounds.median("drain")).isEqualTo(200);
	}

	@Test
	void theMedianOfAnEvenNumberIsBetweenTheTwoInTheMiddle() {
		add("drain", 100, 900, 200, 400);
		assertThat(this.rounds.median("drain")).isEqualTo(300);
	}

	@Test
	void theGreatestCountsWhereNoneMayBeMore() {
		add("open", 0, 2, 0);
		assertThat(this.rounds.greatest("open")).isEqualTo(2);
	}

	@Test
	void whatIsComparedIsKeptApart() {
		add("drain", 100);
		add("raw", 200);
		assertThat(this.rounds.median("drain")).isEqualTo(100);
		assertThat(this.rounds).hasToString("    drain: 100\n    raw: 200\n");
	}

	@Test
	void whatWasNotMeasuredIsNotMadeUp() {
		assertThatIllegalStateException().isThrownBy(() -> this.rounds.median("drain"))
			.withMessage("Nothing was measured of drain");
	}

	@Test
	void aRatioIsTheMedianOfThoseOfTheRounds() {
		add("drain", 100, 20, 300);
		add("raw", 200, 100, 500);
		assertThat(this.rounds.limit("drain", "raw", "raw publishing"))
			.isEqualTo(new Limit("raw publishing", 200, 0.5));
	}

	@Test
	void whatWasNotMeasuredInTurnIsNotCompared() {
		add("drain", 100, 200);
		add("raw", 100);
		assertThatIllegalStateException().isThrownBy(() -> this.rounds.limit("drain", "raw", "raw"))
			.withMessage("There are 2 rounds of drain, and 1 of raw");
	}

	private void add(String what, double... values) {
		for (double value : values) {
			this.rounds.add(what, value);
		}
	}

}
