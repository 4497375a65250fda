/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.backlog;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

import io.orderedoutbox.benchmark.application.Instance;
import io.orderedoutbox.benchmark.broker.BenchQueue;
import io.orderedoutbox.benchmark.broker.RawPublishing;
import io.orderedoutbox.benchmark.cost.Costs;
import io.orderedoutbox.benchmark.figure.Figure;
import io.orderedoutbox.benchmark.figure.Goal;
import io.orderedoutbox.benchmark.figure.Rounds;
import io.orderedoutbox.benchmark.scenario.Bench;
import io.orderedoutbox.benchmark.scenario.Scenario;
import io.orderedoutbox.servers.Database;

/**
 * One instance drains a backlog, as fast as it can.
 *
 * @param name what it is called
 * @param title what it is about
 * @param messages how many messages there are
 * @param keys over how many keys
 * @param ordered whether the order of keys must be kept
 * @param settings what differs from the defaults
 * @param limit what it is compared to
 * @param goal which part of that it must reach
 */
record Drain(String name, String title, int messages, int keys, boolean ordered,
		UnaryOperator<Instance.Builder> settings, Yardstick limit, Goal goal) implements Scenario {

	// Less says little by itself: then a round is more than one drain
	private static final double SHORTEST_ROUND_SECONDS = 3;

	@Override
	public boolean isForAnyDatabase() {
		return true;
	}

	@Override
	public List<Figure> measure(Bench bench) throws Exception {
		int scaled = bench.scaled(this.messages);
		Rounds rounds = new Rounds();
		int few = Math.min(scaled, 20_000);
		bench.warmUp(() -> {
			this.limit.measure(new RawPublishing(few, bench.payloads(), bench::freshQueue), new Rounds());
			drain(bench, few, new Rounds());
		});
		for (int round = 1; round <= bench.rounds(); round++) {
			double seconds = 0;
			do {
				this.limit.measure(new RawPublishing(scaled, bench.payloads(), bench::freshQueue), rounds);
				seconds += drain(bench, scaled, rounds);
			}
			while (seconds < SHORTEST_ROUND_SECONDS * Math.min(1, bench.scale()));
		}
		System.out.print(rounds);
		List<Figure> figures = new ArrayList<>();
		figures.add(new Figure(this.name, this.title, rounds.median("drain"), "messages/s",
				rounds.limit("drain", this.limit.what, this.limit.what), this.goal));
		figures.addAll(Costs.figures(this.name, rounds));
		return figures;
	}

	// How many seconds it took
	private double drain(Bench bench, int messages, Rounds rounds) throws InterruptedException {
		Database database = bench.freshDatabase();
		try (BenchQueue queue = bench.freshQueue();
				Instance instance = this.settings.apply(bench.instance(database).with("outbox.ordered", this.ordered))
					.start()) {
			instance.relay().stop();
			Backlog backlog = new Backlog(messages, this.keys, bench.payloads(), queue);
			backlog.fill(instance);
			Costs costs = new Costs();
			double rate = new Draining(backlog, 0, this.ordered).by(List.of(instance),
					() -> costs.noteIn(rounds, messages));
			rounds.add("drain", rate);
			return messages / rate;
		}
	}

	/**
	 * What a drain can be compared to.
	 */
	enum Yardstick {

		PIPELINED("raw publishing, pipelined") {

			@Override
			void measure(RawPublishing raw, Rounds rounds) {
				rounds.add(this.what, raw.byTemplate());
				rounds.add("raw publishing by the client, pipelined", raw.byClient());
			}

		},

		ONE_AT_A_TIME("raw publishing, one at a time") {

			@Override
			void measure(RawPublishing raw, Rounds rounds) {
				rounds.add(this.what, raw.oneAtATime());
			}

		};

		final String what;

		Yardstick(String what) {
			this.what = what;
		}

		abstract void measure(RawPublishing raw, Rounds rounds);

	}

}
