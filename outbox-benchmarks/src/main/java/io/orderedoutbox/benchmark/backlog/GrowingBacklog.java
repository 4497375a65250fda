/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.backlog;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import io.orderedoutbox.benchmark.application.Instance;
import io.orderedoutbox.benchmark.broker.BenchQueue;
import io.orderedoutbox.benchmark.cost.RoundTrips;
import io.orderedoutbox.benchmark.figure.Figure.Limit;
import io.orderedoutbox.benchmark.figure.Figure;
import io.orderedoutbox.benchmark.figure.Goal;
import io.orderedoutbox.benchmark.figure.Rounds;
import io.orderedoutbox.benchmark.scenario.Bench;
import io.orderedoutbox.benchmark.scenario.Scenario;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.claim.ClaimSettings;
import io.orderedoutbox.jdbc.claim.JdbcRelayStore;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Claims;
import io.orderedoutbox.store.RelayStore;

import org.springframework.util.unit.DataSize;

/**
 * How long it takes to claim a batch, and to give it back, the more messages wait.
 */
public final class GrowingBacklog implements Scenario {

	private static final List<Integer> SIZES = List.of(10_000, 100_000, 1_000_000, 5_000_000);

	private static final int FIRST_CLAIM_AT = 100_000;

	private static final int KEYS = 1_000;

	private static final int CLAIMS = 50;

	private static final int FIRST_CLAIMS = 10;

	private static final ClaimSettings DEFAULTS = new ClaimSettings(true, 2_000, DataSize.ofMegabytes(16),
			Duration.ofSeconds(30), Duration.ofSeconds(1));

	private static final String FIRST = "first claim of an instance, 100,000 rows, 1,000 keys";

	private static final String STATEMENTS = "of that, to poll, and to lock and read partitions";

	@Override
	public String name() {
		return "growing-backlog";
	}

	@Override
	public String title() {
		return "time of a claim with 10,000 to 5,000,000 rows";
	}

	@Override
	public List<Figure> measure(Bench bench) throws Exception {
		Rounds rounds = new Rounds();
		try (BenchQueue nowhere = bench.freshQueue();
				Instance instance = bench.instance(bench.freshDatabase()).start()) {
			instance.relay().stop();
			RelayStore store = instance.bean(RelayStore.class);
			new Backlog(bench.scaled(SIZES.get(0)), KEYS, bench.payloads(), nowhere).fill(instance);
			// A backlog is put into the store behind the relay, which may have polled
			// just now
			store.committed(Set.of());
			claimed(store, 8 * CLAIMS);
			for (int size : SIZES) {
				new Multiplication(instance.jdbc()).growTo(bench.scaled(size));
				for (int round = 1; round <= bench.rounds(); round++) {
					rounds.add(what(size), mean(claimed(store, CLAIMS)));
					if (size == FIRST_CLAIM_AT) {
						firstClaims(instance, rounds);
					}
				}
			}
			if (instance.depth() != bench.scaled(SIZES.get(SIZES.size() - 1))) {
				throw new IllegalStateException("Claims that were given back have changed the outbox");
			}
			instance.jdbc().sql("TRUNCATE TABLE outbox_message").update();
		}
		System.out.print(rounds);
		return figures(rounds);
	}

	private List<Figure> figures(Rounds rounds) {
		List<Double> means = SIZES.stream().map((size) -> rounds.median(what(size))).toList();
		double fastest = means.stream().min(Double::compare).orElseThrow();
		double slowest = means.stream().max(Double::compare).orElseThrow();
		List<Figure> figures = new ArrayList<>();
		figures.add(new Figure(name(), "time of a claim, the slowest size beside the fastest", slowest, "ms",
				new Limit("fastest", fastest, slowest / fastest), Goal.atMost(2)));
		SIZES.forEach(
				(size) -> figures.add(new Figure(name(), what(size), rounds.median(what(size)), "ms", null, null)));
		figures.add(new Figure(name(), FIRST, rounds.median(FIRST), "ms", null, null));
		figures.add(new Figure(name(), STATEMENTS, rounds.median(STATEMENTS), "ms", null, Goal.atMost(10)));
		return figures;
	}

	private static String what(int size) {
		return "claim with %,d rows".formatted(size);
	}

	private static List<Double> claimed(RelayStore store, int times) {
		Claims claims = store.claims();
		try {
			return IntStream.range(0, times).mapToObj((time) -> millis(claims)).toList();
		}
		finally {
			claims.end();
		}
	}

	// What an instance knows from earlier claims makes it faster
	private static void firstClaims(Instance instance, Rounds rounds) {
		OutboxDatabase database = instance.bean(OutboxDatabase.class);
		List<Double> claims = new ArrayList<>();
		double statements = RoundTrips.millisToClaim(() -> IntStream.range(0, FIRST_CLAIMS)
			.forEach((time) -> claims.addAll(claimed(new JdbcRelayStore(database, DEFAULTS), 1))));
		if (statements == 0) {
			throw new IllegalStateException("No statement of a claim was recognised");
		}
		rounds.add(FIRST, mean(claims));
		rounds.add(STATEMENTS, statements / FIRST_CLAIMS);
	}

	private static double millis(Claims claims) {
		long start = System.nanoTime();
		try (Claim claim = claims.next()) {
			if (claim == null) {
				throw new IllegalStateException("Nothing could be claimed");
			}
		}
		return (System.nanoTime() - start) / 1e6;
	}

	private static double mean(Collection<Double> values) {
		return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
	}

}
