/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.latency;

import java.time.Duration;
import java.util.List;

import io.orderedoutbox.benchmark.application.AccountChanged;
import io.orderedoutbox.benchmark.application.Accounts;
import io.orderedoutbox.benchmark.application.Instance;
import io.orderedoutbox.benchmark.broker.BenchQueue;
import io.orderedoutbox.benchmark.figure.Figure;
import io.orderedoutbox.benchmark.figure.Goal;
import io.orderedoutbox.benchmark.figure.Latencies;
import io.orderedoutbox.benchmark.figure.Rounds;
import io.orderedoutbox.benchmark.load.Schedule;
import io.orderedoutbox.benchmark.load.Workers;
import io.orderedoutbox.benchmark.scenario.Bench;
import io.orderedoutbox.benchmark.scenario.Scenario;

/**
 * Business transactions with an event each, of an application with a small pool, while
 * the broker takes what the relay sends and does not answer any more: how long the
 * longest of them takes, beside the longest while no relay runs.
 */
public final class FrozenBroker implements Scenario {

	private static final int PER_SECOND = 200;

	private static final int MESSAGES = 20 * PER_SECOND;

	private static final int WRITERS = 4;

	private static final int ACCOUNTS = 1_000;

	private static final int POOL = 5;

	// The part of the messages before the broker freezes, which does not count
	private static final int HEALTHY = 4;

	private static final String FROZEN = "longest transaction beside a broker that does not answer, pool of 5, 2 workers";

	private static final String OFF = "without a relay";

	@Override
	public String name() {
		return "frozen-broker";
	}

	@Override
	public String title() {
		return "200 transactions/s, pool of 5, and a broker that does not answer";
	}

	@Override
	public List<Figure> measure(Bench bench) throws Exception {
		int messages = bench.scaled(MESSAGES);
		Rounds rounds = new Rounds();
		bench.warmUp(() -> measure(bench, messages / 5, true));
		for (int round = 1; round <= bench.rounds(); round++) {
			rounds.add(OFF, measure(bench, messages, false));
			rounds.add(FROZEN, measure(bench, messages, true));
		}
		System.out.print(rounds);
		return List.of(new Figure(name(), FROZEN, rounds.median(FROZEN), "ms", rounds.limit(FROZEN, OFF, OFF),
				Goal.atMost(1.5)));
	}

	private static double measure(Bench bench, int messages, boolean relaying) throws Exception {
		int healthy = messages / HEALTHY;
		Latencies transactions = new Latencies();
		try (DelayProxy proxy = DelayProxy.before(bench.broker(), Duration.ZERO);
				BenchQueue queue = bench.freshQueue();
				Instance instance = proxy.used(bench.instance(bench.freshDatabase()))
					.with("spring.datasource.hikari.maximum-pool-size", POOL)
					.with("outbox.relay.stop-timeout", "1s")
					.withBean(queue.routing())
					.start();
				Workers writers = new Workers(WRITERS)) {
			if (relaying) {
				instance.connect();
			}
			else {
				instance.relay().stop();
			}
			Accounts accounts = Accounts.create(instance, ACCOUNTS);
			Schedule schedule = new Schedule(PER_SECOND);
			writers.run((writer) -> {
				for (int number = writer; number < messages; number += WRITERS) {
					if (number == healthy) {
						proxy.freeze();
					}
					AccountChanged event = AccountChanged.of(number, number % ACCOUNTS, bench.payloads());
					schedule.await(number);
					long start = System.nanoTime();
					accounts.change(event.account(), event);
					if (number >= healthy) {
						transactions.note(System.nanoTime() - start);
					}
				}
			});
			if (relaying && instance.depth() == 0) {
				throw new IllegalStateException("The broker has not been frozen");
			}
		}
		return transactions.millis(1);
	}

}
