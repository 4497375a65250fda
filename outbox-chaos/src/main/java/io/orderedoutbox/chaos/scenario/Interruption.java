/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

import io.orderedoutbox.chaos.process.RelayProcess;
import io.orderedoutbox.chaos.scenario.Arrivals.Watch;
import io.orderedoutbox.chaos.time.Waiting;

/**
 * Something happens to a relay in the middle of a key with many messages, with the
 * default settings. What is measured is the longest time without a new message of the key
 * from then on: repetitions do not count for it, and are counted.
 */
final class Interruption implements Scenario {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private static final Duration SLOW = Duration.ofMillis(20);

	private static final int MESSAGES = 500;

	private static final int ROUNDS = 5;

	private static final int MOST_REPETITIONS = 140;

	private final String event;

	private final BiConsumer<Stage, RelayProcess> happens;

	private Interruption(String event, BiConsumer<Stage, RelayProcess> happens) {
		this.event = event;
		this.happens = happens;
	}

	static Interruption crash() {
		return new Interruption("kill -9", (stage, relay) -> relay.kill9());
	}

	static Interruption lostConnections() {
		return new Interruption("all database connections are killed",
				(stage, relay) -> stage.servers().killDatabaseConnections(Duration.ZERO));
	}

	@Override
	public List<Figure> measure(Stage stage) {
		RelayProcess victim = stage.startRelay("interrupted", Map.of());
		RelayProcess heir = stage.startRelay("remaining", Map.of());
		heir.toBroker().delay(SLOW);
		List<Duration> times = new ArrayList<>();
		for (int round = 0; round < ROUNDS; round++) {
			times.add(round(stage, victim, heir));
		}
		long repetitions = (stage.arrivals().count() - stage.arrivals().different()) / ROUNDS;
		return List.of(
				Figure.longest("a new message of the key is published after %s in the middle of 500, 20 ms each"
					.formatted(this.event), times, Duration.ofSeconds(2)),
				new Figure("messages repeated each time", String.valueOf(repetitions), "at most " + MOST_REPETITIONS,
						repetitions <= MOST_REPETITIONS),
				Figure.none("messages overtaken meanwhile", stage.arrivals().gaps()));
	}

	private Duration round(Stage stage, RelayProcess victim, RelayProcess heir) {
		victim.toBroker().delay(SLOW);
		heir.sigstop();
		Watch middle = stage.arrivals()
			.watch((message) -> message.key().equals("interrupted0") && message.version() % MESSAGES == MESSAGES / 4);
		NewMessages news = new NewMessages();
		Watch last = stage.arrivals().watch((message) -> message.key().equals("interrupted0") && news.endWith(message));
		try {
			stage.backlog().add("interrupted", 1, MESSAGES);
			middle.await(PATIENCE);
		}
		finally {
			heir.sigcont();
		}
		news.begin();
		this.happens.accept(stage, victim);
		last.await(PATIENCE);
		victim.restart();
		Waiting.until("the outbox is empty", PATIENCE, stage.backlog()::isEmpty);
		return news.longest();
	}

	/**
	 * The longest time between two messages of the key that had not arrived before.
	 */
	private static final class NewMessages {

		private long latest;

		private long greatest;

		private long longest;

		synchronized void begin() {
			this.latest = System.nanoTime();
			this.longest = 0;
		}

		synchronized boolean endWith(Delivery message) {
			if (message.version() > this.greatest) {
				this.longest = Math.max(this.longest, message.time() - this.latest);
				this.latest = message.time();
				this.greatest = message.version();
			}
			return message.version() % MESSAGES == 0;
		}

		synchronized Duration longest() {
			return Duration.ofNanos(this.longest);
		}

	}

}
