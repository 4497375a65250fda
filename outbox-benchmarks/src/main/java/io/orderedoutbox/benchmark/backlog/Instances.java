/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.backlog;

import java.util.ArrayList;
import java.util.List;

import io.orderedoutbox.benchmark.application.Instance;
import io.orderedoutbox.benchmark.broker.BenchQueue;
import io.orderedoutbox.benchmark.cost.Costs;
import io.orderedoutbox.benchmark.figure.Figure;
import io.orderedoutbox.benchmark.figure.Goal;
import io.orderedoutbox.benchmark.figure.Rounds;
import io.orderedoutbox.benchmark.scenario.Bench;
import io.orderedoutbox.benchmark.scenario.Scenario;
import io.orderedoutbox.servers.Database;

/**
 * Several instances with more workers than they need drain one backlog: they must not get
 * in one another's way.
 */
public final class Instances implements Scenario {

	private static final int MESSAGES = 100_000;

	private static final int KEYS = 1_000;

	private static final int INSTANCES = 3;

	private static final int WORKERS = 4;

	private static final String ONE = "one instance with defaults";

	private static final String SEVERAL = "drain 100,000 messages, 1,000 keys, 3 instances with 4 workers each";

	@Override
	public String name() {
		return "instances";
	}

	@Override
	public String title() {
		return "3 instances with 4 workers each, beside one instance";
	}

	@Override
	public List<Figure> measure(Bench bench) throws Exception {
		int messages = bench.scaled(MESSAGES);
		Rounds rounds = new Rounds();
		bench.warmUp(() -> {
			one(bench, messages / 5, new Rounds());
			several(bench, messages / 5, new Rounds());
		});
		for (int round = 1; round <= bench.rounds(); round++) {
			one(bench, messages, rounds);
			several(bench, messages, rounds);
		}
		System.out.print(rounds);
		List<Figure> figures = new ArrayList<>();
		figures.add(new Figure(name(), SEVERAL, rounds.median(SEVERAL), "messages/s", rounds.limit(SEVERAL, ONE, ONE),
				Goal.atLeast(1)));
		figures.addAll(Costs.figures(name(), rounds));
		return figures;
	}

	private static void one(Bench bench, int messages, Rounds rounds) throws InterruptedException {
		try (Instance instance = bench.instance(bench.freshDatabase()).start()) {
			rounds.add(ONE, drain(bench, messages, List.of(instance), new Rounds()));
		}
	}

	private static void several(Bench bench, int messages, Rounds rounds) throws InterruptedException {
		Database database = bench.freshDatabase();
		List<Instance> instances = new ArrayList<>();
		try {
			for (int number = 1; number <= INSTANCES; number++) {
				instances.add(bench.instance(database).with("outbox.relay.workers", WORKERS).start());
			}
			rounds.add(SEVERAL, drain(bench, messages, instances, rounds));
		}
		finally {
			instances.forEach(Instance::close);
		}
	}

	private static double drain(Bench bench, int messages, List<Instance> instances, Rounds rounds)
			throws InterruptedException {
		try (BenchQueue queue = bench.freshQueue()) {
			instances.forEach((instance) -> instance.relay().stop());
			Backlog backlog = new Backlog(messages, KEYS, bench.payloads(), queue);
			backlog.fill(instances.get(0));
			Costs costs = new Costs();
			return new Draining(backlog, 0).by(instances, () -> costs.noteIn(rounds, messages));
		}
	}

}
