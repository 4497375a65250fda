/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.orderedoutbox.chaos.process.RelayProcess;
import io.orderedoutbox.chaos.scenario.Arrivals.Watch;
import io.orderedoutbox.chaos.time.Waiting;

/**
 * The broker is away, for a moment and for longer, while messages go on being written.
 */
final class BrokerOutage implements Scenario {

	private static final Duration PATIENCE = Duration.ofSeconds(90);

	private static final List<Duration> OUTAGES = List.of(Duration.ofSeconds(1), Duration.ofSeconds(3),
			Duration.ofSeconds(10), Duration.ofMinutes(1));

	private static final int KEYS = 50;

	private static final int INTERVAL = 100;

	@Override
	public List<Figure> measure(Stage stage) throws Exception {
		List<RelayProcess> relays = List.of(stage.startRelay("a", Map.of()), stage.startRelay("b", Map.of()));
		List<Duration> times = new ArrayList<>();
		AtomicLong failures = new AtomicLong();
		CountDownLatch enough = new CountDownLatch(1);
		CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> write(stage, enough, failures),
				(task) -> new Thread(task, "writer").start());
		int triesBefore = tries(relays);
		int triesAtLast = triesBefore;
		for (Duration outage : OUTAGES) {
			triesBefore = tries(relays);
			times.add(timeToFirstPublish(stage, outage));
			triesAtLast = tries(relays);
		}
		enough.countDown();
		writer.get();
		Waiting.until("the outbox is empty", PATIENCE, stage.backlog()::isEmpty);
		long written = stage.backlog().number();
		Waiting.until("everything has arrived", PATIENCE, () -> stage.arrivals().different() >= written);
		int tries = triesAtLast - triesBefore;
		return List.of(
				Figure.longest("a relay publishes after the broker is back from outages of 1, 3, 10 and 60 s", times,
						Duration.ofSeconds(2)),
				new Figure("attempts to connect in the outage of 60 s, two relays of two workers",
						String.valueOf(tries), "more than 50", tries > 50),
				Figure.none("attempts spent on messages by four outages, %d messages".formatted(written),
						failures.get()),
				Figure.none("messages lost in four outages", written - stage.arrivals().different()),
				Figure.none("messages overtaken in four outages", stage.arrivals().gaps()));
	}

	private static Duration timeToFirstPublish(Stage stage, Duration outage) {
		CompletableFuture<Long> back = stage.arrivals().nextConnection();
		stage.servers().killBroker();
		long before = stage.backlog().number();
		Watch first = stage.arrivals().watch((message) -> message.number() > before);
		Waiting.sleep(outage);
		stage.servers().startBroker();
		long connected = Arrivals.await(back, PATIENCE);
		return Duration.ofNanos(Math.max(0, first.await(PATIENCE).time() - connected));
	}

	private static int tries(List<RelayProcess> relays) {
		return relays.stream().mapToInt((relay) -> relay.toBroker().accepted()).sum();
	}

	private static void write(Stage stage, CountDownLatch enough, AtomicLong failures) {
		try {
			while (!enough.await(INTERVAL, TimeUnit.MILLISECONDS)) {
				stage.backlog().add("steady", KEYS, KEYS);
				failures.set(Math.max(failures.get(), stage.backlog().failures()));
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
