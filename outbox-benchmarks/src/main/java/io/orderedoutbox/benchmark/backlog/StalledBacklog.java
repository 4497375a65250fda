/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.backlog;

import java.util.List;

import io.orderedoutbox.benchmark.application.Instance;
import io.orderedoutbox.benchmark.broker.BenchQueue;
import io.orderedoutbox.benchmark.figure.Figure;
import io.orderedoutbox.benchmark.figure.Goal;
import io.orderedoutbox.benchmark.figure.Rounds;
import io.orderedoutbox.benchmark.scenario.Bench;
import io.orderedoutbox.benchmark.scenario.Scenario;

/**
 * A drain beside a key whose head has failed and waits, with a great many messages behind
 * it that are older than all others, all of them in the lane of the key.
 */
public final class StalledBacklog implements Scenario {

	private static final int STALLED = 1_000_000;

	private static final int MESSAGES = 100_000;

	private static final int KEYS = 1_000;

	private static final String WITH = "drain 100,000 messages, 1,000 keys, beside 1,000,000 rows of a stalled key";

	private static final String WITHOUT = "the same without them";

	@Override
	public String name() {
		return "stalled-backlog";
	}

	@Override
	public String title() {
		return "1,000,000 rows behind one stalled key, 1,000 other keys live";
	}

	@Override
	public List<Figure> measure(Bench bench) throws Exception {
		int messages = bench.scaled(MESSAGES);
		int stalled = bench.scaled(STALLED);
		Rounds rounds = new Rounds();
		try (Instance clean = bench.instance(bench.freshDatabase()).start();
				Instance burdened = bench.instance(bench.freshDatabase()).start()) {
			clean.relay().stop();
			burdened.relay().stop();
			stall(bench, burdened, stalled);
			bench.warmUp(() -> {
				Draining.ofFreshQueue(bench, clean, messages / 5, KEYS, 0);
				Draining.ofFreshQueue(bench, burdened, messages / 5, KEYS, stalled);
			});
			for (int round = 1; round <= bench.rounds(); round++) {
				rounds.add(WITHOUT, Draining.ofFreshQueue(bench, clean, messages, KEYS, 0));
				rounds.add(WITH, Draining.ofFreshQueue(bench, burdened, messages, KEYS, stalled));
			}
			burdened.jdbc().sql("TRUNCATE TABLE outbox_message").update();
		}
		System.out.print(rounds);
		return List.of(new Figure(name(), WITH, rounds.median(WITH), "messages/s", rounds.limit(WITH, WITHOUT, WITHOUT),
				Goal.atLeast(0.9)));
	}

	private static void stall(Bench bench, Instance instance, int rows) {
		try (BenchQueue nowhere = bench.freshQueue()) {
			new Backlog(1, 1, bench.payloads(), nowhere).fill(instance);
		}
		instance.jdbc()
			.sql("""
					UPDATE outbox_message SET partition_key = 'stalled', attempts = 1, last_error = 'stalled by the benchmark',
					failed_at = UTC_TIMESTAMP(6)""")
			.update();
		instance.jdbc().sql("""
				INSERT INTO outbox_parked (lane, partition_id, key_hash, partition_key, available_at)
				SELECT -id, CRC32(partition_key) MOD (SELECT COUNT(*) FROM outbox_partition), CRC32(partition_key),
				partition_key, TIMESTAMPADD(DAY, 1, UTC_TIMESTAMP(6)) FROM outbox_message""").update();
		instance.jdbc().sql("UPDATE outbox_message SET lane = -id").update();
		instance.jdbc().sql("""
				UPDATE outbox_partition p JOIN outbox_parked k ON k.partition_id = p.id
				SET p.retry_at = k.available_at""").update();
		new Multiplication(instance.jdbc()).growTo(rows);
	}

}
