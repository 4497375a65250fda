/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.orderedoutbox.chaos.process.JvmProcess;
import io.orderedoutbox.chaos.process.RelayProcess;
import io.orderedoutbox.chaos.scenario.Arrivals.Watch;
import io.orderedoutbox.chaos.time.Waiting;
import io.orderedoutbox.servers.TcpProxy;

/**
 * A relay in the middle of publishing the messages of a key is struck down, and another
 * goes on with that key.
 * <p>
 * The victim's network to the broker is slow, so that it owns the key for a long time,
 * and the heir is frozen until the victim has begun. What is measured is the longest time
 * without an arrival from the blow on: a victim that has lost only the database goes on
 * for a while.
 */
final class TakeOver implements Scenario {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(10);

	private static final Duration SLOW = Duration.ofMillis(50);

	private static final Duration A_SECOND = Duration.ofSeconds(1);

	// That takes the victim 20 seconds
	private static final int MESSAGES = 200;

	private static final int BYSTANDERS = 20;

	@Override
	public List<Figure> measure(Stage stage) {
		// A batch that lasts as long as the key, or the victim may not own it when it is
		// hit
		Map<String, String> limits = Map.of("outbox.relay.lock-timeout", LOCK_TIMEOUT.toSeconds() + "s",
				"outbox.relay.batch-time", "1m");
		RelayProcess victim = stage.startRelay("victim", limits);
		RelayProcess heir = stage.startRelay("heir", limits);
		Duration afterCut = LOCK_TIMEOUT.plusSeconds(5);
		List<Figure> figures = new ArrayList<>();
		figures.add(Figure.longest("another instance publishes the key after kill -9 of its owner",
				rounds(5, stage, victim, heir, JvmProcess::kill9), Duration.ofSeconds(2)));
		figures.add(Figure.longest("the same after the owner's network to both servers was cut without FIN",
				rounds(3, stage, victim, heir, (relay) -> {
					relay.toDatabase().blackHole();
					relay.toBroker().blackHole();
				}), afterCut));
		figures.add(Figure.longest("the same after its network to the database was cut",
				rounds(2, stage, victim, heir, (relay) -> relay.toDatabase().blackHole()), afterCut));
		figures.add(Figure.longest("the same after its network to the broker was cut",
				rounds(2, stage, victim, heir, (relay) -> relay.toBroker().blackHole()), afterCut));
		figures.add(Figure.none("messages overtaken while a key changed its owner", stage.arrivals().gaps()));
		return figures;
	}

	private List<Duration> rounds(int rounds, Stage stage, RelayProcess victim, RelayProcess heir,
			Consumer<RelayProcess> blow) {
		List<Duration> times = new ArrayList<>();
		for (int round = 0; round < rounds; round++) {
			times.add(round(stage, victim, heir, blow));
		}
		return times;
	}

	private Duration round(Stage stage, RelayProcess victim, RelayProcess heir, Consumer<RelayProcess> blow) {
		letVictimBegin(stage, victim, heir);
		Watch next = stage.arrivals().watch((message) -> message.key().equals("owned0"));
		next.await(PATIENCE);
		Silence silence = new Silence();
		Watch last = stage.arrivals().watch((message) -> message.key().equals("owned0") && silence.endsWith(message));
		blow.accept(victim);
		last.await(PATIENCE);
		heal(victim);
		Waiting.until("the outbox is empty", PATIENCE, stage.backlog()::isEmpty);
		Waiting.sleep(A_SECOND); // both are idle then
		return Duration.ofNanos(silence.longest);
	}

	private void letVictimBegin(Stage stage, RelayProcess victim, RelayProcess heir) {
		Watch begun = stage.arrivals().watch((message) -> message.key().equals("owned0"));
		victim.toBroker().delay(SLOW);
		heir.sigstop();
		try {
			stage.backlog().add("owned", 1, MESSAGES);
			begun.await(PATIENCE);
		}
		finally {
			heir.sigcont();
		}
		long last = stage.backlog().add("bystander", BYSTANDERS, BYSTANDERS);
		stage.arrivals().watch((message) -> message.number() == last).await(PATIENCE);
	}

	private void heal(RelayProcess victim) {
		List.of(victim.toDatabase(), victim.toBroker()).forEach(TcpProxy::heal);
		victim.toBroker().delay(Duration.ZERO);
		victim.restart();
	}

	/**
	 * The longest time between two messages of the key.
	 */
	private static final class Silence {

		private long latest = System.nanoTime();

		private long longest;

		boolean endsWith(Delivery message) {
			this.longest = Math.max(this.longest, message.time() - this.latest);
			this.latest = message.time();
			return message.version() % MESSAGES == 0;
		}

	}

}
