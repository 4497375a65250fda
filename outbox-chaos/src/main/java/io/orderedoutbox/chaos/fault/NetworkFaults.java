/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;

import io.orderedoutbox.chaos.process.ConsumerProcess;
import io.orderedoutbox.chaos.process.RelayProcess;
import io.orderedoutbox.chaos.process.WriterProcess;
import io.orderedoutbox.chaos.time.Waiting;
import io.orderedoutbox.servers.TcpProxy;

/**
 * A network that loses connections without a word, or is slow.
 */
final class NetworkFaults {

	private static final Duration A_MOMENT = Duration.ofMillis(500);

	private static final Duration A_WHILE = Duration.ofSeconds(3);

	private NetworkFaults() {
	}

	static List<Fault> all() {
		Function<RelayProcess, TcpProxy> database = RelayProcess::toDatabase;
		Function<RelayProcess, TcpProxy> broker = RelayProcess::toBroker;
		List<Fault> faults = new ArrayList<>();
		faults.add(relay("network cut to the database", TcpProxy::blackHole, List.of(database)));
		faults.add(relay("network cut to the broker", TcpProxy::blackHole, List.of(broker)));
		faults.add(relay("network cut to both", TcpProxy::blackHole, List.of(database, broker)));
		faults.add(relay("half-open connections to the database", TcpProxy::strand, List.of(database)));
		faults.add(relay("half-open connections to the broker", TcpProxy::strand, List.of(broker)));
		faults.add(relay("half-open connections to both", TcpProxy::strand, List.of(database, broker)));
		faults.add(Mishap.of("slow network", NetworkFaults::slowDown, Part.RELAY));
		faults.add(Mishap.of("connections of a relay reset", NetworkFaults::reset, Part.RELAY));
		faults.add(Mishap.of("network cut between writer and database", NetworkFaults::cutWriter, Part.WRITER));
		faults.add(consumer("network cut between consumer and database", ConsumerProcess::toDatabase));
		faults.add(consumer("network cut between consumer and broker", ConsumerProcess::toBroker));
		return List.copyOf(faults);
	}

	private static Fault relay(String kind, Consumer<TcpProxy> harm, List<Function<RelayProcess, TcpProxy>> networks) {
		return Mishap.of(kind, (world, random) -> {
			RelayProcess relay = Mishap.any(world.relays(), random);
			Duration longest = world.lockTimeout().plus(A_WHILE);
			whileBroken(networks.stream().map((network) -> network.apply(relay)).toList(), harm,
					Waiting.between(random, A_MOMENT, longest));
			relay.awaitReady();
		}, Part.RELAY).freezing(1);
	}

	private static void whileBroken(List<TcpProxy> networks, Consumer<TcpProxy> harm, Duration time) {
		networks.forEach(harm);
		try {
			Waiting.sleep(time);
		}
		finally {
			networks.forEach(TcpProxy::heal);
		}
	}

	private static void slowDown(World world, Random random) {
		RelayProcess relay = Mishap.any(world.relays(), random);
		Duration delay = Waiting.between(random, Duration.ofMillis(2), Duration.ofMillis(100));
		List<TcpProxy> networks = Arrays.asList(relay.toDatabase(), relay.toBroker());
		networks.forEach((network) -> network.delay(delay));
		try {
			Waiting.sleep(random, A_MOMENT, A_WHILE);
		}
		finally {
			networks.forEach((network) -> network.delay(Duration.ZERO));
		}
	}

	private static void reset(World world, Random random) {
		RelayProcess relay = Mishap.any(world.relays(), random);
		(random.nextBoolean() ? relay.toDatabase() : relay.toBroker()).reset();
	}

	private static void cutWriter(World world, Random random) {
		WriterProcess writer = Mishap.any(world.writers(), random);
		whileBroken(List.of(writer.toDatabase()), random.nextBoolean() ? TcpProxy::blackHole : TcpProxy::strand,
				Waiting.between(random, A_MOMENT, A_WHILE));
		writer.awaitReady();
	}

	private static Fault consumer(String kind, Function<ConsumerProcess, TcpProxy> network) {
		return Mishap.of(kind, (world, random) -> {
			ConsumerProcess consumer = Mishap.any(world.consumers(), random);
			whileBroken(List.of(network.apply(consumer)), random.nextBoolean() ? TcpProxy::blackHole : TcpProxy::strand,
					Waiting.between(random, A_MOMENT, world.silenceTimeout()));
			consumer.awaitReady();
		}, Part.CONSUMER);
	}

}
