/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos;

import java.nio.file.Path;
import java.util.List;

import io.orderedoutbox.chaos.server.DatabaseKind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ParameterException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@Tag("unit")
class OptionsTests {

	@Test
	void theShortFormIsTheDefaultAndCoversBothModesAndBothTypesOfQueue() {
		Options options = Options.of();
		assertThat(options.privateServers()).isTrue();
		assertThat(options.runs().stream().mapToInt(ChaosSettings::messages).sum()).isGreaterThanOrEqualTo(20_000);
		assertThat(options.runs().stream().mapToInt(ChaosSettings::faults).sum()).isGreaterThanOrEqualTo(25);
		assertThat(options.runs()).extracting(ChaosSettings::ordered).containsOnly(true, false);
		assertThat(options.runs()).extracting(ChaosSettings::queueType).containsOnly("classic", "quorum");
	}

	@Test
	void theLongFormHasAMillionMessagesAndFiveHundredFaults() {
		List<ChaosSettings> runs = Options.of("--long").runs();
		assertThat(runs.stream().mapToInt(ChaosSettings::messages).sum()).isGreaterThanOrEqualTo(1_000_000);
		assertThat(runs.stream().mapToInt(ChaosSettings::faults).sum()).isGreaterThanOrEqualTo(500);
	}

	@Test
	void aSingleRunIsDescribedWordByWord() {
		Options options = Options.of("--messages", "7", "--faults", "3", "--unordered", "--queue", "quorum", "--seed",
				"5", "--only", "relay killed,memory alarm", "--shared-servers", "--reports", "somewhere");
		ChaosSettings run = options.runs().get(0);
		assertThat(options.runs()).hasSize(1);
		assertThat(options.privateServers()).isFalse();
		assertThat(options.database()).isEqualTo(DatabaseKind.MYSQL);
		assertThat(options.reports()).isEqualTo(Path.of("somewhere"));
		assertThat(run.messages()).isEqualTo(7);
		assertThat(run.faults()).isEqualTo(3);
		assertThat(run.ordered()).isFalse();
		assertThat(run.queueType()).isEqualTo("quorum");
		assertThat(run.seed()).isEqualTo(5);
		assertThat(run.only()).containsExactlyInAnyOrder("relay killed", "memory alarm");
	}

	@Test
	void kafkaIsARunOfItsOwnAndTheOnlyOtherSender() {
		assertThat(Options.of("--sender", "kafka").runs()).singleElement().satisfies((run) -> {
			assertThat(run.isKafka()).isTrue();
			assertThat(run.ordered()).isTrue();
			assertThat(run.messages()).isEqualTo(12_000);
			assertThat(run.faults()).isEqualTo(15);
		});
		assertThat(Options.of().runs()).noneMatch(ChaosSettings::isKafka);
		assertThatExceptionOfType(ParameterException.class).isThrownBy(() -> Options.of("--sender", "pigeon"))
			.withMessageContaining("There is no sender 'pigeon' here");
	}

	@Test
	void consumersAreARunOfTheirOwnInAShortAndALongForm() {
		assertThat(Options.of("--consume").runs()).singleElement().satisfies((run) -> {
			assertThat(run.consumed()).isTrue();
			assertThat(run.messages()).isEqualTo(10_000);
			assertThat(run.ordered()).isTrue();
		});
		assertThat(Options.of("--long", "--consume").runs()).singleElement()
			.satisfies((run) -> assertThat(run.messages()).isEqualTo(100_000));
		assertThat(Options.of("--long", "--consume").scenarios()).isFalse();
		assertThat(Options.of("--messages", "7", "--consume", "--faults", "3").runs()).singleElement()
			.satisfies((run) -> {
				assertThat(run.messages()).isEqualTo(7);
				assertThat(run.faults()).isEqualTo(3);
			});
		assertThat(Options.of().runs()).noneMatch(ChaosSettings::consumed);
	}

	@Test
	void threeProducersAndThreeConsumers() {
		ChaosSettings run = Options.of("--consume").runs().get(0);
		assertThat(run.writers()).isEqualTo(3);
		assertThat(run.consumers()).isEqualTo(3);
		assertThat(Options.of().runs()).allMatch((other) -> other.consumers() == 0);
	}

	@Test
	void scenariosArePlayedAloneOrAfterRuns() {
		assertThat(Options.of("--scenarios").runs()).isEmpty();
		assertThat(Options.of("--scenarios").scenarios()).isTrue();
		assertThat(Options.of("--scenarios", "--short").runs()).hasSize(2);
		assertThat(Options.of("--long").scenarios()).isTrue();
		assertThat(Options.of().scenarios()).isFalse();
	}

	@Test
	void aSeedAloneRepeatsTheShortForm() {
		assertThat(Options.of("--seed", "5")).isEqualTo(Options.of("--short", "--seed", "5"));
		assertThat(Options.of("--seed", "5")).isNotEqualTo(Options.of("--seed", "6"));
	}

	@Test
	void aDatabaseIsChosenForAllRuns() {
		assertThat(Options.of("--mariadb").runs()).hasSize(2);
		assertThat(Options.of("--mariadb").database()).isEqualTo(DatabaseKind.MARIADB);
		assertThat(Options.of("--database", "mariadb").database()).isEqualTo(DatabaseKind.MARIADB);
		assertThat(Options.of("--consume", "--database", "postgresql").database()).isEqualTo(DatabaseKind.POSTGRESQL);
		assertThat(Options.of("--long", "--database", "postgresql").scenarios()).isFalse();
		assertThatExceptionOfType(ParameterException.class).isThrownBy(() -> Options.of("--database", "oracle"))
			.withMessageContaining("oracle");
		assertThatIllegalArgumentException().isThrownBy(() -> Options.of("--scenarios", "--database", "postgresql"))
			.withMessageContaining("--scenarios");
	}

	@Test
	void anUnknownOptionIsRefused() {
		assertThatExceptionOfType(ParameterException.class).isThrownBy(() -> Options.of("--mesages", "7"))
			.withMessageContaining("--mesages");
		assertThatExceptionOfType(ParameterException.class).isThrownBy(() -> Options.of("--messages"))
			.withMessageContaining("--messages");
	}

	@Test
	void theUsageNamesEveryOptionOfTheScript() {
		assertThat(Arguments.usage()).contains("--short", "--long", "--scenarios", "--consume", "--sender", "--seed",
				"--only", "--mariadb", "--database", "--reports");
	}

}
