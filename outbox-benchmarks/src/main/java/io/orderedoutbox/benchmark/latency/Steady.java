/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.latency;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

import io.orderedoutbox.benchmark.application.AccountChanged;
import io.orderedoutbox.benchmark.application.Accounts;
import io.orderedoutbox.benchmark.application.Instance;
import io.orderedoutbox.benchmark.broker.BenchQueue;
import io.orderedoutbox.benchmark.broker.RawPublishing;
import io.orderedoutbox.benchmark.figure.Figure;
import io.orderedoutbox.benchmark.figure.Goal;
import io.orderedoutbox.benchmark.figure.Latencies;
import io.orderedoutbox.benchmark.figure.Rounds;
import io.orderedoutbox.benchmark.load.Schedule;
import io.orderedoutbox.benchmark.load.Workers;
import io.orderedoutbox.benchmark.scenario.Bench;
import io.orderedoutbox.benchmark.scenario.Scenario;
import org.jspecify.annotations.Nullable;

/**
 * Transactions with one event each, at a rate that leaves the servers time: how long a
 * message takes from the return of the commit to the confirm by the broker.
 */
public final class Steady implements Scenario {

	private static final int PER_SECOND = 500;

	private static final int MESSAGES = 20 * PER_SECOND;

	private static final int WRITERS = 4;

	// A multiple of the writers: each account is changed by one of them, in the order of
	// the numbers
	private static final int ACCOUNTS = 1_000;

	private static final String RATE = "messages published";

	private static final String LATENCY = "from commit to confirm";

	private static final String COMMIT = "transaction with one event";

	private static final String ALONE = "the same transaction without an event";

	private static final String RAW = "raw publishing of one message at the same rate";

	@Override
	public String name() {
		return "steady";
	}

	@Override
	public String title() {
		return "steady 500 messages/s, one to a transaction";
	}

	@Override
	public List<Figure> measure(Bench bench) throws Exception {
		int messages = bench.scaled(MESSAGES);
		Rounds rounds = new Rounds();
		bench.warmUp(() -> measure(bench, messages / 5, new Rounds()));
		for (int round = 1; round <= bench.rounds(); round++) {
			measure(bench, messages, rounds);
		}
		System.out.print(rounds);
		List<Figure> figures = new ArrayList<>();
		figures.add(figure(rounds, LATENCY + ", p50", Goal.atMost(5)));
		figures.add(figure(rounds, LATENCY + ", p99", Goal.atMost(30)));
		// Else the latencies would be those of another rate
		figures.add(new Figure(name(), RATE, rounds.median(RATE), "messages/s", null, Goal.atLeast(0.98 * PER_SECOND)));
		for (String known : List.of(COMMIT, ALONE, RAW)) {
			figures.add(figure(rounds, known + ", p50", null));
			figures.add(figure(rounds, known + ", p99", null));
		}
		return figures;
	}

	private Figure figure(Rounds rounds, String what, @Nullable Goal goal) {
		return new Figure(name(), what, rounds.median(what), "ms", null, goal);
	}

	private static void measure(Bench bench, int messages, Rounds rounds) throws InterruptedException {
		new RawPublishing(messages / 2, bench.payloads(), bench::freshQueue).paced(PER_SECOND).noteIn(rounds, RAW);
		changeOnly(bench, messages / 2, rounds);
		publish(bench, messages, rounds);
	}

	// How long the database takes when nothing is asked of it but the business
	private static void changeOnly(Bench bench, int messages, Rounds rounds) throws InterruptedException {
		Latencies commits = new Latencies();
		try (Instance instance = bench.instance(bench.freshDatabase()).start();
				Workers writers = new Workers(WRITERS)) {
			Accounts accounts = Accounts.create(instance, ACCOUNTS);
			Schedule schedule = new Schedule(PER_SECOND);
			write(writers, messages, (number) -> {
				schedule.await(number);
				long start = System.nanoTime();
				accounts.change(number % ACCOUNTS);
				commits.note(System.nanoTime() - start);
			});
		}
		commits.noteIn(rounds, ALONE);
	}

	private static void write(Workers writers, int messages, IntConsumer transaction) throws InterruptedException {
		writers.run((writer) -> {
			for (int number = writer; number < messages; number += WRITERS) {
				transaction.accept(number);
			}
		});
	}

	private static void publish(Bench bench, int messages, Rounds rounds) throws InterruptedException {
		Confirms confirms = new Confirms(messages);
		Latencies commits = new Latencies();
		Latencies latencies = new Latencies();
		long[] committed = new long[messages];
		try (BenchQueue queue = bench.freshQueue();
				Instance instance = bench.instance(bench.freshDatabase())
					.withBean(queue.routing())
					.withBean(confirms)
					.start();
				Workers writers = new Workers(WRITERS)) {
			Accounts accounts = Accounts.create(instance, ACCOUNTS);
			Schedule schedule = new Schedule(PER_SECOND);
			write(writers, messages, (number) -> {
				AccountChanged event = AccountChanged.of(number, number % ACCOUNTS, bench.payloads());
				schedule.await(number);
				long start = System.nanoTime();
				accounts.change(event.account(), event);
				committed[number] = System.nanoTime();
				commits.note(committed[number] - start);
			});
			rounds.add(RATE, schedule.rateOf(messages));
			queue.await(messages);
			instance.relay().stop();
			if (instance.depth() != 0) {
				throw new IllegalStateException("There are messages left");
			}
			queue.verify(messages, ACCOUNTS);
		}
		for (int number = 0; number < messages; number++) {
			// A relay can be faster than the return of the commit
			latencies.note(Math.max(0, confirms.time(number) - committed[number]));
		}
		latencies.noteIn(rounds, LATENCY);
		commits.noteIn(rounds, COMMIT);
	}

}
