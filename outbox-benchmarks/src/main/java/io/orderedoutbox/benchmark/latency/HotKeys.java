/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.latency;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.orderedoutbox.benchmark.application.AccountChanged;
import io.orderedoutbox.benchmark.application.Accounts;
import io.orderedoutbox.benchmark.application.Instance;
import io.orderedoutbox.benchmark.broker.BenchQueue;
import io.orderedoutbox.benchmark.figure.Figure;
import io.orderedoutbox.benchmark.figure.Goal;
import io.orderedoutbox.benchmark.figure.Latencies;
import io.orderedoutbox.benchmark.figure.Rounds;
import io.orderedoutbox.benchmark.load.Payloads;
import io.orderedoutbox.benchmark.load.Schedule;
import io.orderedoutbox.benchmark.load.Workers;
import io.orderedoutbox.benchmark.scenario.Bench;
import io.orderedoutbox.benchmark.scenario.Scenario;

/**
 * A few keys that get far more messages than can be sent one at a time, where each
 * confirm takes a while: how long the messages of all other keys take meanwhile, from the
 * return of the commit to the confirm by the broker.
 */
public final class HotKeys implements Scenario {

	private static final Duration CONFIRM = Duration.ofMillis(20);

	private static final int PER_SECOND = 200;

	private static final int MESSAGES = 15 * PER_SECOND;

	private static final int WRITERS = 4;

	// A multiple of the writers: each account is changed by one of them
	private static final int ACCOUNTS = 1_000;

	private static final int HOT_KEYS = 6;

	private static final int BURST = 500;

	private static final Duration BETWEEN_BURSTS = Duration.ofMillis(1_500);

	private static final List<Integer> BATCH_SIZES = List.of(50, 2_000);

	@Override
	public String name() {
		return "hot-keys";
	}

	@Override
	public String title() {
		return "200 messages/s beside 6 keys with bursts of 500, confirms after 20 ms";
	}

	@Override
	public List<Figure> measure(Bench bench) throws Exception {
		int messages = bench.scaled(MESSAGES);
		Rounds rounds = new Rounds();
		bench.warmUp(() -> measure(bench, messages / 5, BATCH_SIZES.get(0), true, new Rounds()));
		for (int round = 1; round <= bench.rounds(); round++) {
			for (int batchSize : BATCH_SIZES) {
				measure(bench, messages, batchSize, false, rounds);
				measure(bench, messages, batchSize, true, rounds);
			}
		}
		System.out.print(rounds);
		List<Figure> figures = new ArrayList<>();
		for (int batchSize : BATCH_SIZES) {
			String with = what(batchSize, true);
			String without = what(batchSize, false);
			figures.add(new Figure(name(), with + ", p99", rounds.median(with + ", p99"), "ms",
					rounds.limit(with + ", p99", without + ", p99", "without the bursts"), Goal.atMost(3)));
			figures.add(figure(rounds, with + ", p50"));
			figures
				.add(new Figure(name(), "the same p99", rounds.median(with + ", p99"), "ms", null, Goal.atMost(1_000)));
			figures.add(figure(rounds, without + ", p50"));
		}
		return figures;
	}

	private Figure figure(Rounds rounds, String what) {
		return new Figure(name(), what, rounds.median(what), "ms", null, null);
	}

	private static String what(int batchSize, boolean bursts) {
		return "from commit to confirm %s hot keys, batch size %,d".formatted(bursts ? "beside" : "without", batchSize);
	}

	private static void measure(Bench bench, int messages, int batchSize, boolean bursts, Rounds rounds)
			throws Exception {
		long length = TimeUnit.SECONDS.toNanos(messages) / PER_SECOND;
		int hotMessages = (int) (length / BETWEEN_BURSTS.toNanos() + 1) * HOT_KEYS * BURST;
		Confirms confirms = new Confirms(messages + hotMessages);
		Latencies latencies = new Latencies();
		long[] committed = new long[messages];
		try (DelayProxy proxy = DelayProxy.before(bench.broker(), CONFIRM);
				BenchQueue queue = bench.freshQueue();
				Instance instance = proxy.used(bench.instance(bench.freshDatabase()))
					.with("outbox.relay.batch-size", batchSize)
					.withBean(queue.routing())
					.withBean(confirms)
					.start();
				Workers writers = new Workers(WRITERS + 1)) {
			instance.connect();
			Accounts accounts = Accounts.create(instance, ACCOUNTS + HOT_KEYS);
			Schedule schedule = new Schedule(PER_SECOND);
			writers.run((writer) -> {
				if (writer == WRITERS) {
					burst(accounts, bench.payloads(), messages, bursts ? hotMessages : 0);
					return;
				}
				for (int number = writer; number < messages; number += WRITERS) {
					AccountChanged event = AccountChanged.of(number, number % ACCOUNTS, bench.payloads());
					schedule.await(number);
					accounts.change(event.account(), event);
					committed[number] = System.nanoTime();
				}
			});
			confirms.await(messages);
			// What is left of the hot keys does not matter
			instance.relay().stop();
		}
		for (int number = 0; number < messages; number++) {
			latencies.note(Math.max(0, confirms.time(number) - committed[number]));
		}
		latencies.noteIn(rounds, what(batchSize, bursts));
	}

	private static void burst(Accounts accounts, Payloads payloads, int first, int messages) {
		long due = System.nanoTime();
		for (int from = 0; from < messages; from += BURST) {
			if (from % (HOT_KEYS * BURST) == 0) {
				for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
					LockSupport.parkNanos(wait);
				}
				due += BETWEEN_BURSTS.toNanos();
			}
			int account = ACCOUNTS + from / BURST % HOT_KEYS;
			AccountChanged[] events = new AccountChanged[BURST];
			for (int i = 0; i < BURST; i++) {
				events[i] = AccountChanged.of(first + from + i, account, payloads);
			}
			accounts.change(account, events);
		}
	}

}
