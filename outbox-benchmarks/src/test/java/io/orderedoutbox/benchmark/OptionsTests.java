/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark;

import java.nio.file.Path;
import java.util.Map;

import io.orderedoutbox.benchmark.scenario.Bench;
import io.orderedoutbox.benchmark.scenario.Scenario;
import io.orderedoutbox.benchmark.scenario.Tuning;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.ParameterException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Tag("unit")
class OptionsTests {

	@Test
	void withoutArgumentsEverythingIsMeasuredAsItCounts() {
		Options options = Options.of();
		assertThat(options.scenarios()).isEqualTo(Scenarios.all());
		assertThat(options.bench()).isEqualTo(new Bench(3, 400, "classic", 1, Tuning.NONE));
	}

	@Test
	void scenariosAreMeasuredInTheOrderInWhichTheyAreNamed() {
		assertThat(Options.of("idle", "--rounds", "2", "drain").scenarios()).extracting(Scenario::name)
			.containsExactly("idle", "drain");
	}

	@Test
	void everyOptionIsTaken() {
		Options options = Options.of("--rounds", "5", "--payload", "4096", "--queue", "quorum", "--scale", "0.5",
				"--property", "outbox.relay.workers=3", "--driver", "useServerPrepStmts=true", "--driver",
				"cachePrepStmts=true", "--reports", "there");
		assertThat(options.bench())
			.isEqualTo(new Bench(5, 4096, "quorum", 0.5, new Tuning(Map.of("outbox.relay.workers", "3"),
					Map.of("useServerPrepStmts", "true", "cachePrepStmts", "true"))));
		assertThat(options.reports()).isEqualTo(Path.of("there"));
	}

	@Test
	void ofAnOptionThatIsGivenTwiceTheLastOneCounts() {
		assertThat(Options.of("--reports", "here", "drain", "--reports", "there").reports())
			.isEqualTo(Path.of("there"));
	}

	@ParameterizedTest
	@CsvSource({ "--rounds, 0", "--rounds, 101", "--payload, 99", "--payload, 1000001", "--queue, stream", "--scale, 0",
			"--scale, 101", "--property, outbox.ordered", "--driver, =true" })
	void aValueOutOfBoundsIsRefused(String option, String value) {
		assertThatExceptionOfType(ParameterException.class).isThrownBy(() -> Options.of(option, value))
			.withMessageContaining(option);
	}

	@ParameterizedTest
	@ValueSource(strings = { "--rounds", "--payload", "--scale" })
	void aValueThatIsNoNumberIsRefused(String option) {
		assertThatExceptionOfType(ParameterException.class).isThrownBy(() -> Options.of(option, "many"))
			.withMessageContaining(option)
			.withMessageContaining("'many'");
	}

	@Test
	void anOptionWithoutItsValueIsRefused() {
		assertThatExceptionOfType(ParameterException.class).isThrownBy(() -> Options.of("drain", "--scale"))
			.withMessageContaining("--scale");
	}

	@ParameterizedTest
	@ValueSource(strings = { "drian", "--round" })
	void whatIsNoScenarioIsRefused(String word) {
		assertThatExceptionOfType(ParameterException.class).isThrownBy(() -> Options.of(word))
			.withMessageContaining(word);
	}

	@Test
	void theUsageNamesEveryScenarioOnce() {
		assertThat(Scenarios.all()).extracting(Scenario::name).doesNotHaveDuplicates();
		assertThat(Options.usage().lines()).containsAll(
				Scenarios.all().stream().map((one) -> "  %-17s %s".formatted(one.name(), one.title())).toList());
	}

}
