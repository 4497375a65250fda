/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.orderedoutbox.jdbc.claim.SmallOutbox;
import io.orderedoutbox.servers.ServerKind;
import io.orderedoutbox.servers.Servers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * However workers, writers, networks, broker and crashes follow one another: of a key the
 * first arrivals are in the order of the commits, and everything arrives. The first seed
 * is printed;
 * {@code -Dtest.jvm.args="-Drelay.simulation.seed=… -Drelay.simulation.seeds=1"} repeats
 * one, and more seeds look for longer.
 */
@Tag("order")
class RelaySimulationTests {

	private static final int WORKERS = 20;

	private final SmallOutbox outbox = new SmallOutbox();

	private final Logger log = (Logger) LoggerFactory.getLogger("io.orderedoutbox");

	private final Level level = this.log.getLevel();

	@BeforeEach
	void silence() {
		this.log.setLevel(Level.OFF);
	}

	@AfterEach
	void close() {
		this.log.setLevel(this.level);
		this.outbox.close();
	}

	@Test
	void firstArrivalsAreInTheOrderOfTheCommitsWhateverHappens() {
		long first = Long.getLong("relay.simulation.seed", ThreadLocalRandom.current().nextLong(1_000_000_000));
		int most = (Servers.database().kind() == ServerKind.EMBEDDED) ? 5 : 15;
		int seeds = Integer.getInteger("relay.simulation.seeds", most);
		System.out.printf("relay simulation: %d seeds from %d%n", seeds, first);
		long start = System.nanoTime();
		var connections = this.outbox.tables().pool(WORKERS);
		JdbcClient server = JdbcClient.create(this.outbox.tables().pool(1));
		int steps = 0;
		int messages = 0;
		int repeated = 0;
		int faults = 0;
		int suspended = 0;
		for (long seed = first; seed < first + seeds; seed++) {
			RelaySimulation simulation = new RelaySimulation(this.outbox, connections, server, seed);
			simulation.run();
			steps += simulation.steps();
			messages += simulation.messages();
			repeated += simulation.repeated();
			faults += simulation.faults();
			suspended += simulation.suspended();
		}
		System.out.printf("relay simulation: %d steps, %d messages, %d repeated, %d faults, %d suspended in %s%n",
				steps, messages, repeated, faults, suspended, Duration.ofNanos(System.nanoTime() - start));
		assertThat(faults).as("faults").isGreaterThan(seeds);
		assertThat(messages).as("messages").isGreaterThan(seeds);
		assertThat(suspended).as("suspended claims").isPositive();
	}

}
