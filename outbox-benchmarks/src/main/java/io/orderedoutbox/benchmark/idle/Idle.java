/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.idle;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.orderedoutbox.benchmark.application.Instance;
import io.orderedoutbox.benchmark.cost.RoundTrips;
import io.orderedoutbox.benchmark.figure.Figure;
import io.orderedoutbox.benchmark.figure.Goal;
import io.orderedoutbox.benchmark.figure.Rounds;
import io.orderedoutbox.benchmark.scenario.Bench;
import io.orderedoutbox.benchmark.scenario.Scenario;
import io.orderedoutbox.servers.Database;

/**
 * Instances that have nothing to do: what they ask the database, and whether they leave
 * transactions open.
 */
public final class Idle implements Scenario {

	private static final int INSTANCES = 10;

	private static final int SECONDS = 20;

	private static final long SAMPLE_INTERVAL_IN_MILLIS = 500;

	private static final String STATEMENTS = "statements a second and instance";

	private static final String OPEN = "transactions left open";

	@Override
	public String name() {
		return "idle";
	}

	@Override
	public String title() {
		return "10 instances on an empty outbox";
	}

	@Override
	public List<Figure> measure(Bench bench) throws Exception {
		Database database = bench.freshDatabase();
		List<Instance> instances = new ArrayList<>();
		Rounds rounds = new Rounds();
		try (Connection connection = bench.connect(database)) {
			OpenTransactions transactions = new OpenTransactions(connection);
			for (int number = 1; number <= INSTANCES; number++) {
				// Enough for its workers: the server does not take the default of ten for
				// each
				instances.add(bench.instance(database).with("spring.datasource.hikari.maximum-pool-size", 3).start());
			}
			// Pools fill in the background
			watch(transactions, 2, new Rounds());
			for (int round = 1; round <= bench.rounds(); round++) {
				watch(transactions, Math.max(5, (int) (SECONDS * Math.min(1, bench.scale()))), rounds);
			}
		}
		finally {
			instances.forEach(Instance::close);
		}
		System.out.print(rounds);
		return List.of(new Figure(name(), STATEMENTS, rounds.median(STATEMENTS), "", null, Goal.atMost(2)),
				new Figure(name(), OPEN, rounds.greatest(OPEN), "", null, Goal.atMost(0)));
	}

	private static void watch(OpenTransactions transactions, int seconds, Rounds rounds) throws Exception {
		long statements = RoundTrips.count();
		long start = System.nanoTime();
		long end = start + TimeUnit.SECONDS.toNanos(seconds);
		int open = 0;
		while (System.nanoTime() < end) {
			open = Math.max(open, transactions.sample());
			Thread.sleep(SAMPLE_INTERVAL_IN_MILLIS);
		}
		double elapsed = (System.nanoTime() - start) / 1e9;
		rounds.add(STATEMENTS, (RoundTrips.count() - statements) / elapsed / INSTANCES);
		rounds.add(OPEN, open);
	}

}
