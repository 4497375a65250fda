/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.fault;

import java.time.Duration;
import java.util.List;
import java.util.Random;

import io.orderedoutbox.chaos.process.JvmProcess;
import io.orderedoutbox.chaos.process.RelayProcess;
import io.orderedoutbox.chaos.time.Waiting;

/**
 * Processes that die, or seem to.
 */
final class ProcessFaults {

	private static final Duration AT_ONCE = Duration.ZERO;

	private static final Duration SOON = Duration.ofSeconds(2);

	private ProcessFaults() {
	}

	static List<Fault> all() {
		return List.of(Mishap.of("relay killed", ProcessFaults::killRelay, Part.RELAY),
				Mishap.of("all relays killed", ProcessFaults::killAllRelays, Part.RELAY),
				Mishap.of("writer killed", ProcessFaults::killWriter, Part.WRITER),
				Mishap.of("relay frozen beyond the lock timeout", ProcessFaults::freezeRelay, Part.RELAY).freezing(1),
				Mishap.of("relay frozen for a moment", ProcessFaults::freezeRelayForAMoment, Part.RELAY),
				Mishap.of("writer frozen", ProcessFaults::freezeWriter, Part.WRITER),
				Mishap.of("rolling restart", ProcessFaults::restartAll, Part.RELAY, Part.WRITER));
	}

	private static void killRelay(World world, Random random) {
		kill(Mishap.any(world.relays(), random), random);
	}

	private static void killWriter(World world, Random random) {
		kill(Mishap.any(world.writers(), random), random);
	}

	static void kill(JvmProcess process, Random random) {
		process.kill9();
		Waiting.sleep(random, AT_ONCE, SOON);
		process.restart();
	}

	private static void killAllRelays(World world, Random random) {
		world.relays().forEach(JvmProcess::kill9);
		Waiting.sleep(random, AT_ONCE, SOON);
		world.relays().forEach(JvmProcess::awaitReady);
	}

	private static void freezeRelay(World world, Random random) {
		Duration beyond = world.lockTimeout().plusMillis(500);
		freeze(Mishap.any(world.relays(), random), Waiting.between(random, beyond, beyond.plus(SOON)));
	}

	private static void freezeRelayForAMoment(World world, Random random) {
		freeze(Mishap.any(world.relays(), random),
				Waiting.between(random, Duration.ofMillis(100), world.confirmTimeout()));
	}

	private static void freezeWriter(World world, Random random) {
		freeze(Mishap.any(world.writers(), random), Waiting.between(random, Duration.ofMillis(100), SOON));
	}

	static void freeze(JvmProcess process, Duration time) {
		process.sigstop();
		try {
			Waiting.sleep(time);
		}
		finally {
			process.sigcont();
		}
		process.awaitReady();
	}

	private static void restartAll(World world, Random random) {
		for (RelayProcess relay : world.relays()) {
			restart(relay);
		}
		restart(Mishap.any(world.writers(), random));
	}

	static void restart(JvmProcess process) {
		process.terminate();
		process.restart();
	}

}
