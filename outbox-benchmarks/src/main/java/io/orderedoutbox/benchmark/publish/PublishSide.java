/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.publish;

import java.util.ArrayList;
import java.util.List;

import io.orderedoutbox.benchmark.application.Accounts;
import io.orderedoutbox.benchmark.application.Instance;
import io.orderedoutbox.benchmark.broker.BenchQueue;
import io.orderedoutbox.benchmark.cost.RoundTrips;
import io.orderedoutbox.benchmark.figure.Figure;
import io.orderedoutbox.benchmark.figure.Goal;
import io.orderedoutbox.benchmark.figure.Rounds;
import io.orderedoutbox.benchmark.load.Workers;
import io.orderedoutbox.benchmark.scenario.Bench;
import io.orderedoutbox.benchmark.scenario.Scenario;
import io.orderedoutbox.servers.Database;
import org.jspecify.annotations.Nullable;

/**
 * What publishing costs a business transaction. The relay rests meanwhile: what it costs
 * is measured elsewhere.
 */
public final class PublishSide implements Scenario {

	private static final int RAW_ROWS = 100_000;

	private static final int SLICES = 8;

	private static final int PER_SLICE = 1_000;

	private static final List<Integer> THREADS = List.of(1, 4);

	private static final String BY_HAND = "transactions with a row of that size written by hand, ";

	private static final String ROUND_TRIPS_OF_ONE = "extra round trips of a transaction with 1 event";

	private static final String ROUND_TRIPS_OF_MANY = "extra round trips of a transaction with 20 events";

	private static final String INSERT = "raw insert, batches of 1,000";

	private static final String DELETE = "raw delete, batches of 1,000";

	@Override
	public String name() {
		return "publish";
	}

	@Override
	public String title() {
		return "transactions with events, beside the same without";
	}

	@Override
	public boolean isForAnyDatabase() {
		return true;
	}

	@Override
	public List<Figure> measure(Bench bench) throws Exception {
		Rounds rounds = new Rounds();
		bench.warmUp(() -> transactions(bench, 1, 4, new Rounds()));
		rawRows(bench, new Rounds());
		for (int round = 1; round <= bench.rounds(); round++) {
			for (int threads : THREADS) {
				transactions(bench, threads, SLICES, rounds);
			}
			rawRows(bench, rounds);
		}
		System.out.print(rounds);
		List<Figure> figures = new ArrayList<>();
		for (int threads : THREADS) {
			figures.add(new Figure(name(), what(1, threads), rounds.median(what(1, threads)), "transactions/s",
					rounds.limit(what(1, threads), what(0, threads), "without events"), Goal.atLeast(0.75)));
			figures.add(new Figure(name(), byHand(threads), rounds.median(byHand(threads)), "transactions/s",
					rounds.limit(byHand(threads), what(0, threads), "without"), null));
			figures.add(figure(rounds, what(PublishSlice.MANY, threads), "transactions/s", null));
		}
		if (RoundTrips.areCounted()) {
			figures.add(figure(rounds, ROUND_TRIPS_OF_ONE, "", null));
			figures.add(figure(rounds, ROUND_TRIPS_OF_MANY, "", Goal.atMost(2)));
		}
		figures.add(figure(rounds, INSERT, "rows/s", null));
		figures.add(figure(rounds, DELETE, "rows/s", null));
		return figures;
	}

	private Figure figure(Rounds rounds, String what, String unit, @Nullable Goal goal) {
		return new Figure(name(), what, rounds.median(what), unit, null, goal);
	}

	private static String what(int events, int threads) {
		return "transactions with %d %s, ".formatted(events, (events == 1) ? "event" : "events") + by(threads);
	}

	private static String byHand(int threads) {
		return BY_HAND + by(threads);
	}

	private static String by(int threads) {
		return threads + ((threads == 1) ? " thread" : " threads");
	}

	private static void transactions(Bench bench, int threads, int slices, Rounds rounds) throws InterruptedException {
		int transactions = Math.max(50, (int) (PER_SLICE * bench.scale()));
		try (BenchQueue queue = bench.freshQueue();
				Instance instance = bench.instance(bench.freshDatabase()).withBean(queue.routing()).start();
				Workers workers = new Workers(threads)) {
			instance.relay().stop();
			PublishSlice slice = new PublishSlice(Accounts.create(instance, threads * PublishSlice.ACCOUNTS), workers,
					bench.payloads());
			slice.run(0, transactions);
			slice.run(1, transactions);
			slice.runByHand(transactions);
			for (int pair = 0; pair < slices; pair++) {
				// In turn, which of them is first
				for (int events : (pair % 2 == 0) ? List.of(0, 1) : List.of(1, 0)) {
					rounds.add(what(events, threads), slice.run(events, transactions).perSecond());
				}
				rounds.add(byHand(threads), slice.runByHand(transactions).perSecond());
			}
			double many = slice.run(PublishSlice.MANY, transactions / 5).perSecond();
			rounds.add(what(PublishSlice.MANY, threads), many);
			if (threads == 1) {
				double none = slice.run(0, transactions).roundTrips();
				rounds.add(ROUND_TRIPS_OF_ONE, slice.run(1, transactions).roundTrips() - none);
				rounds.add(ROUND_TRIPS_OF_MANY, slice.run(PublishSlice.MANY, transactions / 5).roundTrips() - none);
			}
			slice.verify(instance, queue);
		}
	}

	private static void rawRows(Bench bench, Rounds rounds) throws Exception {
		Database database = bench.freshDatabase();
		int rows = bench.scaled(RAW_ROWS);
		// The instance creates the tables; it need not run
		bench.instance(database).start().close();
		try (RawRows raw = new RawRows(bench, database)) {
			rounds.add(INSERT, raw.insert(rows));
			rounds.add(DELETE, raw.delete(rows));
		}
	}

}
