/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.order;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import io.orderedoutbox.testing.TestQueue.Arrival;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Writes, relays and cuts at random, and asks the {@link Oracle} what it thinks of it.
 * <ol>
 * <li>One application writes, with several threads; others relay.</li>
 * <li>Meanwhile relays lose their connections to the database, to the broker or to both,
 * by a reset or by KILL, and some messages are unroutable for a while.</li>
 * <li>When everything is written, mishaps end, and everything must arrive.</li>
 * </ol>
 */
final class OrderFuzzer {

	private final FuzzerSettings settings;

	private final Sabotage sabotage;

	private final Database database = Servers.database().fresh();

	private final List<RelayInstance> relays = new ArrayList<>();

	private final CountDownLatch written = new CountDownLatch(1);

	private int mishaps;

	OrderFuzzer(FuzzerSettings settings, Sabotage sabotage) {
		this.settings = settings;
		this.sabotage = sabotage;
	}

	/**
	 * Run once, and print what was found.
	 */
	FuzzerReport run() {
		System.out.println("order fuzzer: " + this.settings + ", sabotage " + this.sabotage);
		try (TestQueue queue = TestQueue.bound("fuzz.steady");
				OutboxApplication application = writingApplication(queue)) {
			route(queue, true);
			createTables(application.jdbc());
			FuzzerReport report = run(application, queue);
			System.out.println(report);
			return report;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
		finally {
			this.relays.forEach(RelayInstance::close);
		}
	}

	private OutboxApplication writingApplication(TestQueue queue) {
		return OutboxApplication.on(this.database)
			.sendingTo(queue)
			.withoutRelay()
			.with("spring.datasource.hikari.maximum-pool-size", this.settings.writers() + 2)
			.with("fuzzer.stripes", this.sabotage.takesStripes())
			.with(SlowStore.Configuration.class)
			.start();
	}

	private FuzzerReport run(OutboxApplication application, TestQueue queue) throws InterruptedException {
		for (int number = 0; number < this.settings.relays(); number++) {
			this.relays.add(new RelayInstance(number, this.database, this.settings, this.sabotage));
		}
		long start = System.nanoTime();
		long deadline = start + this.settings.timeBound().toNanos();
		Writers writers = new Writers(application, queue, this.settings);
		writers.start();
		Thread fate = new Thread(() -> makeMishaps(application.jdbc(), queue), "fate");
		if (this.settings.mishaps()) {
			fate.start();
		}
		writers.join(deadline);
		this.written.countDown();
		fate.join();
		awaitEnd(application, queue, writers, deadline);
		Duration duration = Duration.ofNanos(System.nanoTime() - start);

		List<Arrival> arrivals = List.copyOf(queue.arrivals());
		List<String> violations = new Oracle(writers, arrivals, application.jdbc()).violations();
		if (application.depth() != 0) {
			violations.add("%d messages are still in the outbox".formatted(application.depth()));
		}
		int committed = writers.commits().stream().mapToInt((commit) -> commit.messageIds().size()).sum();
		return new FuzzerReport(this.settings, this.sabotage, committed, writers.rolledBack().size(), this.mishaps,
				arrivals.size() - distinct(arrivals).size(), duration, violations);
	}

	private void createTables(JdbcClient jdbc) {
		jdbc.sql("CREATE TABLE fuzz_counter (id INT PRIMARY KEY, version BIGINT NOT NULL)").update();
		jdbc.sql("""
				CREATE TABLE fuzz_ledger (id BIGINT PRIMARY KEY, message_id CHAR(36) NOT NULL,
				partition_key VARCHAR(255) %s NOT NULL)"""
			.formatted(this.database.choose("CHARACTER SET utf8mb4 COLLATE utf8mb4_bin", "COLLATE \"C\"", "")))
			.update();
		jdbc.sql("CREATE TABLE fuzz_in_flight (id BIGINT PRIMARY KEY)").update();
		jdbc.sql("CREATE TABLE fuzz_connection (id BIGINT PRIMARY KEY, relay INT NOT NULL)").update();
		for (int key = 0; key < this.settings.keys(); key++) {
			jdbc.sql("INSERT INTO fuzz_counter VALUES (?, 0)").param(key).update();
		}
	}

	private void makeMishaps(JdbcClient jdbc, TestQueue queue) {
		Random random = new Random(this.settings.seed());
		boolean routable = true;
		try {
			while (!this.written.await(30 + random.nextInt(200), TimeUnit.MILLISECONDS)) {
				this.mishaps++;
				if (random.nextInt(4) == 0) {
					this.relays.forEach(RelayInstance::thaw);
				}
				if (!routable || (random.nextInt(6) == 0 && !this.settings.pipelinedKeys())) {
					routable = !routable;
					route(queue, routable);
				}
				else {
					this.relays.get(random.nextInt(this.relays.size())).die(random, jdbc);
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.relays.forEach(RelayInstance::thaw);
		route(queue, true);
	}

	private static void route(TestQueue queue, boolean routable) {
		try {
			if (routable) {
				queue.channel().queueBind(queue.exchange(), queue.exchange(), "fuzz.flaky");
			}
			else {
				queue.channel().queueUnbind(queue.exchange(), queue.exchange(), "fuzz.flaky");
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	// Whatever is missing at the end is for the oracle to say
	private static void awaitEnd(OutboxApplication application, TestQueue queue, Writers writers, long deadline)
			throws InterruptedException {
		Set<String> committed = new HashSet<>();
		writers.commits().forEach((commit) -> committed.addAll(commit.messageIds()));
		CountDownLatch never = new CountDownLatch(1);
		while (System.nanoTime() < deadline
				&& (application.depth() > 0 || !distinct(queue.arrivals()).containsAll(committed))) {
			never.await(50, TimeUnit.MILLISECONDS);
		}
	}

	private static Set<String> distinct(List<Arrival> arrivals) {
		Set<String> messageIds = new HashSet<>();
		arrivals.forEach((arrival) -> messageIds.add(arrival.messageId()));
		return messageIds;
	}

}
