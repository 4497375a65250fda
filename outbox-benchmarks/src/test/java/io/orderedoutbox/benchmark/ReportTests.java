/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark;

import java.util.List;

import io.orderedoutbox.benchmark.figure.Figure.Limit;
import io.orderedoutbox.benchmark.figure.Figure;
import io.orderedoutbox.benchmark.figure.Goal;
import io.orderedoutbox.benchmark.scenario.Bench;
import io.orderedoutbox.benchmark.scenario.Tuning;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("unit")
class ReportTests {

	private static final Bench BENCH = new Bench(1, 400, "classic", 1, Tuning.NONE);

	@Test
	void aFigureStandsBesideItsLimitAndItsGoal() {
		assertThat(rows(new Figure("drain", "drain 10 messages", 15_000, "messages/s", new Limit("raw", 30_000, 0.51),
				Goal.atLeast(0.4))))
			.containsExactly("| drain | drain 10 messages | 15,000 messages/s | 30,000 raw | 0.510 | >= 0.400 |");
	}

	@Test
	void aMissedGoalIsCalledMissed() {
		assertThat(rows(new Figure("steady", "p50", 6, "ms", null, Goal.atMost(5))))
			.containsExactly("| steady | p50 | 6.000 ms |  |  | <= 5.000 MISSED |");
	}

	@Test
	void aFigureThatIsOnlyToBeKnownHasNoGoal() {
		assertThat(rows(new Figure("publish", "raw insert", 12.34, "rows/s", null, null)))
			.containsExactly("| publish | raw insert | 12.3 rows/s |  |  |  |");
	}

	@Test
	void figuresKeepTheirOrder() {
		assertThat(rows(new Figure("b", "x", 1, "", null, null), new Figure("a", "y", 1, "", null, null)))
			.extracting((row) -> row.substring(2, 3))
			.containsExactly("b", "a");
	}

	private static List<String> rows(Figure... figures) {
		List<String> lines = new Report(BENCH, List.of(figures)).table().lines().toList();
		assertThat(lines.subList(0, 2)).containsExactly("| scenario | figure | measured | limit | ratio | must be |",
				"|---|---|--:|--:|--:|---|");
		return lines.subList(2, lines.size());
	}

}
