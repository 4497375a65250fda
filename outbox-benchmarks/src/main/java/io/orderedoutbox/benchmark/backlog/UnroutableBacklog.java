/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.backlog;

import java.util.List;
import java.util.concurrent.locks.LockSupport;

import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.benchmark.application.Instance;
import io.orderedoutbox.benchmark.broker.BenchQueue;
import io.orderedoutbox.benchmark.figure.Figure;
import io.orderedoutbox.benchmark.figure.Goal;
import io.orderedoutbox.benchmark.figure.Rounds;
import io.orderedoutbox.benchmark.scenario.Bench;
import io.orderedoutbox.benchmark.scenario.Scenario;

/**
 * A drain beside many keys whose messages are unroutable, are tried again while it runs,
 * and must arrive in the order of their keys when an operator retries them at last.
 */
public final class UnroutableBacklog implements Scenario {

	private static final int MESSAGES = 100_000;

	private static final int KEYS = 1_000;

	private static final String WITH = "drain 100,000 messages, 1,000 keys, beside 100,000 unroutable ones of 1,000 keys";

	private static final String WITHOUT = "the same without them";

	private static final String PARKED = "the relay parks the unroutable ones";

	private static final String RETRIED = "they arrive after an operator retries all";

	@Override
	public String name() {
		return "unroutable-backlog";
	}

	@Override
	public String title() {
		return "100,000 unroutable messages of 1,000 keys, 1,000 other keys live";
	}

	@Override
	public List<Figure> measure(Bench bench) throws Exception {
		int messages = bench.scaled(MESSAGES);
		Rounds rounds = new Rounds();
		try (BenchQueue nowhere = bench.freshQueue();
				Instance clean = bench.instance(bench.freshDatabase()).start();
				Instance burdened = bench.instance(bench.freshDatabase()).start()) {
			clean.relay().stop();
			burdened.relay().stop();
			Backlog unroutable = new Backlog(messages, KEYS, bench.payloads(), nowhere, "unroutable-");
			nowhere.delete();
			unroutable.fill(burdened);
			rounds.add(PARKED, park(burdened));
			bench.warmUp(() -> {
				Draining.ofFreshQueue(bench, clean, messages / 5, KEYS, 0);
				Draining.ofFreshQueue(bench, burdened, messages / 5, KEYS, messages);
			});
			for (int round = 1; round <= bench.rounds(); round++) {
				rounds.add(WITHOUT, Draining.ofFreshQueue(bench, clean, messages, KEYS, 0));
				rounds.add(WITH, Draining.ofFreshQueue(bench, burdened, messages, KEYS, messages));
			}
			nowhere.declare();
			burdened.bean(OutboxAdministration.class).retry(MessageSelection.all());
			rounds.add(RETRIED, new Draining(unroutable, 0).by(List.of(burdened)));
		}
		System.out.print(rounds);
		return List.of(
				new Figure(name(), WITH, rounds.median(WITH), "messages/s", rounds.limit(WITH, WITHOUT, WITHOUT),
						Goal.atLeast(0.9)),
				new Figure(name(), PARKED, rounds.median(PARKED), "messages/s", null, null),
				new Figure(name(), RETRIED, rounds.median(RETRIED), "messages/s", null, null));
	}

	// Until no message is in the way of others any more
	private static double park(Instance instance) {
		long messages = instance.depth();
		long start = System.nanoTime();
		instance.relay().start();
		while (instance.jdbc()
			.sql("SELECT COUNT(*) FROM (SELECT id FROM outbox_message WHERE lane >= 0 LIMIT 1) m")
			.query(Long.class)
			.single() > 0) {
			LockSupport.parkNanos(10_000_000);
		}
		double seconds = (System.nanoTime() - start) / 1e9;
		instance.relay().stop();
		return messages / seconds;
	}

}
