/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.fault;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

import io.orderedoutbox.chaos.server.KafkaServers;
import io.orderedoutbox.chaos.time.Waiting;

/**
 * What can go wrong where the broker is a Kafka: what has nothing to do with the broker,
 * and that the broker is killed or stands still.
 */
public final class KafkaFaults {

	private static final Duration A_MOMENT = Duration.ofMillis(200);

	private static final Duration A_WHILE = Duration.ofSeconds(3);

	// Its clients go to the address that Kafka itself tells them, and around a proxy
	private static final Set<String> THROUGH_A_NETWORK_TO_THE_BROKER = Set.of("network cut to the broker",
			"network cut to both", "half-open connections to the broker", "half-open connections to both");

	private KafkaFaults() {
	}

	/**
	 * Return the faults that can happen.
	 * @param all one fault of each kind
	 * @return those of them that can happen, and more
	 */
	public static List<Fault> of(List<Fault> all) {
		List<Fault> faults = new ArrayList<>(all.stream()
			.filter((fault) -> !fault.breaks().contains(Part.BROKER))
			.filter((fault) -> !THROUGH_A_NETWORK_TO_THE_BROKER.contains(fault.kind()))
			.toList());
		faults.add(Mishap.of("broker killed", KafkaFaults::kill, Part.BROKER));
		faults.add(Mishap.of("broker frozen", KafkaFaults::freeze, Part.BROKER));
		return List.copyOf(faults);
	}

	private static void kill(World world, Random random) {
		world.servers().killBroker();
		Waiting.sleep(random, Duration.ZERO, A_WHILE);
		world.servers().startBroker();
	}

	// Sometimes shorter than a relay waits for a confirm, sometimes longer
	private static void freeze(World world, Random random) throws IOException, InterruptedException {
		long pid = ((KafkaServers) world.servers()).kafka().pid();
		signal("STOP", pid);
		try {
			Waiting.sleep(random, A_MOMENT, world.confirmTimeout().plus(A_WHILE));
		}
		finally {
			signal("CONT", pid);
		}
	}

	private static void signal(String signal, long pid) throws IOException, InterruptedException {
		new ProcessBuilder("kill", "-" + signal, String.valueOf(pid)).inheritIO().start().waitFor();
	}

}
