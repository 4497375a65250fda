/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.fault;

import java.time.Duration;
import java.util.List;
import java.util.Random;

import io.orderedoutbox.chaos.process.ConsumerProcess;
import io.orderedoutbox.chaos.process.JvmProcess;
import io.orderedoutbox.chaos.time.Waiting;

import org.springframework.util.Assert;

/**
 * Consumers that die, or seem to, that come and go, and whose handlers fail.
 */
final class ConsumerFaults {

	private static final Duration AT_ONCE = Duration.ZERO;

	private static final Duration A_MOMENT = Duration.ofMillis(200);

	private static final Duration A_SECOND = Duration.ofSeconds(1);

	private static final Duration A_WHILE = Duration.ofSeconds(3);

	// What Spring calls the connections of an application
	private static final String CONSUMERS = "rabbitConnectionFactory";

	private static final int REPETITIONS = 3;

	private ConsumerFaults() {
	}

	static List<Fault> all() {
		return List.of(Mishap.of("consumer killed", ConsumerFaults::kill, Part.CONSUMER),
				Mishap.of("all consumers killed", ConsumerFaults::killAll, Part.CONSUMER),
				Mishap.of("consumer frozen for a moment", ConsumerFaults::freezeForAMoment, Part.CONSUMER),
				Mishap.of("consumer frozen until the broker gives it up", ConsumerFaults::freeze, Part.CONSUMER),
				Mishap.of("consumer leaves and another joins", ConsumerFaults::replace, Part.CONSUMER),
				Mishap.of("consumer joins and leaves", ConsumerFaults::visit, Part.CONSUMER),
				Mishap.of("connections of consumers closed again and again", ConsumerFaults::closeConnections,
						Part.CONSUMER, Part.BROKER),
				Mishap.of("handlers of some keys fail", ConsumerFaults::poison, Part.CONSUMER, Part.DATABASE));
	}

	private static void kill(World world, Random random) {
		ProcessFaults.kill(Mishap.any(world.consumers(), random), random);
	}

	private static void killAll(World world, Random random) {
		world.consumers().forEach(JvmProcess::kill9);
		Waiting.sleep(random, AT_ONCE, A_WHILE);
		world.consumers().forEach(JvmProcess::awaitReady);
	}

	private static void freezeForAMoment(World world, Random random) {
		ProcessFaults.freeze(Mishap.any(world.consumers(), random), Waiting.between(random, A_MOMENT, A_WHILE));
	}

	// Another one gets its queues meanwhile, and what it was processing
	private static void freeze(World world, Random random) {
		Duration beyond = world.silenceTimeout();
		ProcessFaults.freeze(Mishap.any(world.consumers(), random),
				Waiting.between(random, beyond, beyond.plus(A_WHILE)));
	}

	private static void replace(World world, Random random) {
		ProcessFaults.restart(Mishap.any(world.consumers(), random));
	}

	private static void visit(World world, Random random) {
		try (ConsumerProcess guest = world.newConsumer("guest-" + Integer.toHexString(random.nextInt()))) {
			guest.restart();
			Waiting.sleep(random, A_MOMENT, A_WHILE);
			guest.terminate();
			List<String> misdeeds = guest.misdeeds();
			Assert.state(misdeeds.isEmpty(), misdeeds::toString);
		}
	}

	private static void closeConnections(World world, Random random) {
		for (int i = 0; i < REPETITIONS; i++) {
			world.servers().closeBrokerConnections(CONSUMERS);
			Waiting.sleep(random, AT_ONCE, A_MOMENT);
		}
	}

	// Keys that have been processed before, so that something comes after them, and a
	// tenth of them, so that something comes at all
	private static void poison(World world, Random random) {
		world.jdbc()
			.sql("INSERT INTO chaos_poison SELECT partition_key FROM chaos_progress ORDER BY %s LIMIT 30"
				.formatted(world.words().random()))
			.update();
		try {
			Waiting.sleep(random, A_SECOND, A_WHILE);
		}
		finally {
			world.jdbc().sql("DELETE FROM chaos_poison").update();
		}
	}

}
