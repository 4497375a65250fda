/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.fault;

import java.time.Duration;
import java.util.List;
import java.util.Random;

import io.orderedoutbox.chaos.server.ControlledServers;
import io.orderedoutbox.chaos.time.Waiting;

/**
 * A broker that goes away, closes connections, or takes nothing more.
 */
final class BrokerFaults {

	private static final Duration A_MOMENT = Duration.ofMillis(200);

	private static final Duration A_WHILE = Duration.ofSeconds(3);

	// The name of the relays' connections, which the recorder's does not have
	private static final String RELAYS = "outbox-relay";

	private static final int REPETITIONS = 4;

	private BrokerFaults() {
	}

	static List<Fault> all() {
		return List.of(Mishap.of("broker killed", BrokerFaults::kill, Part.BROKER),
				Mishap.of("broker node stopped", BrokerFaults::stopNode, Part.BROKER),
				Mishap.of("connections closed by the broker", BrokerFaults::closeConnections, Part.BROKER),
				Mishap.of("connections closed again and again", BrokerFaults::closeConnectionsOften, Part.BROKER),
				Mishap.of("memory alarm", BrokerFaults::alarm, Part.BROKER),
				Mishap.of("queue rejects what is published", BrokerFaults::rejectPublish, Part.BROKER),
				Mishap.of("a second queue rejects what the first takes", BrokerFaults::bindFullQueue, Part.BROKER),
				Mishap.of("exchange deleted", BrokerFaults::deleteExchange, Part.BROKER),
				Mishap.of("binding deleted", BrokerFaults::deleteBinding, Part.BROKER));
	}

	private static void kill(World world, Random random) {
		world.servers().killBroker();
		Waiting.sleep(random, Duration.ZERO, A_WHILE);
		world.servers().startBroker();
	}

	private static void stopNode(World world, Random random) {
		world.servers().stopBrokerNode();
		Waiting.sleep(random, Duration.ZERO, A_WHILE);
		world.servers().startBrokerNode();
	}

	private static void closeConnections(World world, Random random) {
		world.servers().closeBrokerConnections(RELAYS);
	}

	// Some of it happens while confirms are due, some while a connection is made
	private static void closeConnectionsOften(World world, Random random) {
		for (int i = 0; i < REPETITIONS; i++) {
			world.servers().closeBrokerConnections(RELAYS);
			Waiting.sleep(random, Duration.ZERO, A_MOMENT);
		}
	}

	// Sometimes shorter than a relay waits for a confirm, sometimes longer
	private static void alarm(World world, Random random) {
		ControlledServers servers = world.servers();
		servers.memoryAlarm(true);
		try {
			Waiting.sleep(random, A_MOMENT, world.confirmTimeout().plus(A_WHILE));
		}
		finally {
			servers.memoryAlarm(false);
		}
	}

	private static void rejectPublish(World world, Random random) {
		breakTopology(world, random, () -> world.topology().rejectPublishBeyond(random.nextInt(300)));
	}

	private static void bindFullQueue(World world, Random random) {
		String exchange = Mishap.any(world.topology().exchanges(), random);
		breakTopology(world, random, () -> world.topology().bindFullQueue(exchange));
	}

	private static void deleteExchange(World world, Random random) {
		String exchange = Mishap.any(world.topology().exchanges(), random);
		breakTopology(world, random, () -> world.topology().deleteExchange(exchange));
	}

	private static void deleteBinding(World world, Random random) {
		String exchange = Mishap.any(world.topology().exchanges(), random);
		breakTopology(world, random, () -> world.topology().deleteBinding(exchange));
	}

	private static void breakTopology(World world, Random random, Runnable harm) {
		harm.run();
		try {
			Waiting.sleep(random, A_MOMENT, A_WHILE);
		}
		finally {
			world.topology().restore();
		}
	}

}
