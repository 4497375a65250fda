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
	 * Three times as many messages wait as fit into a window. So windows are full even
	 * where relays keep up with the writers, and begin at a mark; and some commit below
	 * it.
	 */
	static final FuzzerSettings MOVING_WINDOW = new FuzzerSettings(seed(), 12, 3, 1, 3, 200, 2_000, 20,
			Duration.ofMillis(150), false, false, true, Duration.ofSeconds(60));

	static long seed() {
		return Long.getLong("fuzzer.seed", ThreadLocalRandom.current().nextLong(1_000_000_000));
	}

	@Test
	void firstArrivalsOfEveryKeyAreInTheOrderOfTheCommitsWhileRelaysDie() {
		relaysDie(30, false);
	}

	@Test
	void pipelinedKeysAreInOrderAsWellWhileRelaysDie() {
		relaysDie(6, true);
	}

	private static void relaysDie(int keys, boolean pipelinedKeys) {
		int messages = (Servers.database().kind() == ServerKind.EMBEDDED) ? 2_000 : 6_000;
		FuzzerSettings settings = new FuzzerSettings(seed(), 6, 3, 2, 20, keys,
				Integer.getInteger("fuzzer.messages", messages), 1_000, Duration.ofMillis(40), true, pipelinedKeys,
				false, Duration.ofMinutes(2));
		FuzzerReport report = new OrderFuzzer(settings, Sabotage.NONE).run();
		assertThat(report.violations()).as(report::toString).isEmpty();
		assertThat(report.committed()).as("committed").isGreaterThan(messages / 2);
		assertThat(report.mishaps()).as("mishaps").isGreaterThan(5);
	}

	// It fills whole claims, and what follows is read ahead
	@Test
	void aSingleKeyIsInOrderAsWellWhileRelaysDie() {
		FuzzerSettings settings = new FuzzerSettings(seed(), 6, 3, 2, 5, 1, 1_500, 500, Duration.ofMillis(2), true,
				true, false, Duration.ofMinutes(2));
		FuzzerReport report = new OrderFuzzer(settings, Sabotage.NONE).run();
		assertThat(report.violations()).as(report::toString).isEmpty();
		assertThat(report.committed()).as("committed").isGreaterThan(750);
		assertThat(report.mishaps()).as("mishaps").isPositive();
	}

	@Test
	void aWindowThatMovesWithTheWritersOvertakesNobody() {
		FuzzerReport report = new OrderFuzzer(MOVING_WINDOW, Sabotage.NONE).run();
		assertThat(report.violations()).as(report::toString).isEmpty();
		assertThat(report.duplicates()).as("duplicates, when nobody died").isZero();
	}

}
