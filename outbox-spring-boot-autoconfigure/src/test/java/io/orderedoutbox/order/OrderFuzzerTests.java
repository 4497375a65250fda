/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.order;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import io.orderedoutbox.servers.ServerKind;
import io.orderedoutbox.servers.Servers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The promise itself, with everything that can go wrong going wrong. The seed is printed;
 * {@code -Dtest.jvm.args="-Dfuzzer.seed=… -Dfuzzer.messages=…"} gives one and a size.
 */
@Tag("order")
class OrderFuzzerTests {

	/**
	 * Many keys, small claims and relays that keep up with the writers: cursors stand
	 * where transactions that take long are about to commit.
	 */
	private static final FuzzerSettings CLOSE_BEHIND_WRITERS = new FuzzerSettings(seed(), 12, 3, 1, 3, 200, 2_000, 20,
			Duration.ofMillis(150), false, false, Duration.ZERO, Duration.ofSeconds(60));

	static long seed() {
		return Long.getLong("fuzzer.seed", ThreadLocalRandom.current().nextLong(1_000_000_000));
	}

	@Test
	void firstArrivalsOfEveryKeyAreInTheOrderOfTheCommitsWhileRelaysDie() {
		relaysDie(6_000, 30, false, Duration.ZERO);
	}

	@Test
	void pipelinedKeysAreInOrderAsWellWhileRelaysDie() {
		relaysDie(3_000, 6, true, Duration.ZERO);
	}

	@Test
	void whatIsBehindADelayedMessageWaitsForItsTimeAsWellWhileRelaysDie() {
		relaysDie(6_000, 30, false, Duration.ofMillis(300));
	}

	private static void relaysDie(int most, int keys, boolean pipelinedKeys, Duration longestDelay) {
		int messages = Integer.getInteger("fuzzer.messages",
				(Servers.database().kind() == ServerKind.EMBEDDED) ? 2_000 : most);
		FuzzerSettings settings = new FuzzerSettings(seed(), 6, 3, 2, 20, keys, messages, 1_000, Duration.ofMillis(40),
				true, pipelinedKeys, longestDelay, Duration.ofMinutes(2));
		FuzzerReport report = new OrderFuzzer(settings, Sabotage.NONE).run();
		assertThat(report.violations()).as(report::toString).isEmpty();
		assertThat(report.committed()).as("committed").isGreaterThan(messages / 2);
		assertThat(report.mishaps()).as("mishaps").isGreaterThan(5);
	}

	// It fills whole claims
	@Test
	void aSingleKeyIsInOrderAsWellWhileRelaysDie() {
		FuzzerSettings settings = new FuzzerSettings(seed(), 6, 3, 2, 5, 1, 800, 500, Duration.ofMillis(2), true, true,
				Duration.ZERO, Duration.ofMinutes(2));
		FuzzerReport report = new OrderFuzzer(settings, Sabotage.NONE).run();
		assertThat(report.violations()).as(report::toString).isEmpty();
		assertThat(report.committed()).as("committed").isGreaterThan(400);
		assertThat(report.mishaps()).as("mishaps").isPositive();
	}

	@Test
	void relaysThatKeepUpWithTheWritersOvertakeNoTransactionThatIsStillOpen() {
		FuzzerReport report = new OrderFuzzer(CLOSE_BEHIND_WRITERS, Sabotage.NONE).run();
		assertThat(report.violations()).as(report::toString).isEmpty();
		assertThat(report.duplicates()).as("duplicates, when no relay died").isZero();
	}

}
