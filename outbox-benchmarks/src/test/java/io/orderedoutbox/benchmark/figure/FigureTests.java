/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.figure;

import io.orderedoutbox.benchmark.figure.Figure.Limit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("unit")
class FigureTests {

	@ParameterizedTest
	@CsvSource({ "0.599, false", "0.6, true", "0.601, true" })
	void aFigureWithALimitIsJudgedByItsPartOfTheLimit(double ratio, boolean reached) {
		Figure figure = new Figure("drain", "drain", 600, "messages/s", new Limit("raw", 1_000, ratio),
				Goal.atLeast(0.6));
		assertThat(figure.judged()).isEqualTo(ratio);
		assertThat(figure.isReached()).isEqualTo(reached);
	}

	@ParameterizedTest
	@CsvSource({ "4.9, true", "5, true", "5.1, false" })
	void aFigureWithoutALimitIsJudgedByItself(double value, boolean reached) {
		Figure figure = new Figure("steady", "p50", value, "ms", null, Goal.atMost(5));
		assertThat(figure.judged()).isEqualTo(value);
		assertThat(figure.isReached()).isEqualTo(reached);
	}

	@Test
	void aFigureWithoutAGoalIsOnlyToBeKnown() {
		assertThat(new Figure("publish", "raw insert", 1, "rows/s", null, null).isReached()).isTrue();
	}

	@Test
	void whatIsNoNumberReachesNothing() {
		assertThat(Goal.atLeast(0).isReached(Double.NaN)).isFalse();
		assertThat(Goal.atMost(0).isReached(Double.NaN)).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "0.1234, 0.123", "12.345, 12.3", "1234.5, '1,235'", "-0.5, -0.500" })
	void numbersHaveAsManyDigitsAsTheyAreWorth(double value, String text) {
		assertThat(Figure.text(value)).isEqualTo(text);
	}

	@Test
	void aGoalSaysWhatMustBe() {
		assertThat(Goal.atLeast(0.6)).hasToString(">= 0.600");
		assertThat(Goal.atMost(30)).hasToString("<= 30.0");
	}

}
