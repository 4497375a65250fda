/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.Claim;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.CannotAcquireLockException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many writers of several keys at a time, in any order, and many workers.
 */
@Tag("order")
@Timeout(120)
class ClaimContentionTests {

	private static final int WRITERS = 8;

	private static final int WORKERS = 4;

	private static final int TRANSACTIONS = 40;

	private static final int MESSAGES = 5;

	private final OutboxTables tables = new OutboxTables();

	private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS + WORKERS);

	@AfterEach
	void close() {
		this.threads.shutdownNow();
		this.tables.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 4, 20, 1000 })
	void noTransactionsWaitInACircleAndNothingIsTakenTwice(int batchSize) throws Exception {
		long seed = ThreadLocalRandom.current().nextLong(1_000_000);
		System.out.println("claim contention: seed " + seed);
		CountDownLatch written = new CountDownLatch(WRITERS);
		List<Future<?>> all = new ArrayList<>();
		for (int writer = 0; writer < WRITERS; writer++) {
			Random random = new Random(seed + writer);
			all.add(this.threads.submit(() -> write(random, written)));
		}
		Queue<Long> completed = new ConcurrentLinkedQueue<>();
		all.addAll(startWorkers(ClaimWorker.settings(true, batchSize), written, completed));
		await(all);
		assertThat(completed).hasSize(WRITERS * TRANSACTIONS * MESSAGES).doesNotHaveDuplicates();
		if (Servers.database().isMySql()) {
			assertThat(lastDeadlock()).isEmpty();
		}
	}

	@Test
	void inUnorderedModeNothingIsTakenTwice() throws Exception {
		this.tables.fill(20_000, 20_000);
		Queue<Long> completed = new ConcurrentLinkedQueue<>();
		await(startWorkers(ClaimWorker.settings(false, 1_500), new CountDownLatch(0), completed));
		assertThat(completed).hasSize(20_000).doesNotHaveDuplicates();
	}

	private Void write(Random random, CountDownLatch written) {
		for (int count = 0; count < TRANSACTIONS; count++) {
			this.tables.commit(IntStream.range(0, MESSAGES)
				.mapToObj((message) -> "key-" + random.nextInt(40))
				.toArray(String[]::new));
		}
		written.countDown();
		return null;
	}

	// Several workers, until all is written and nothing is left
	private List<Future<?>> startWorkers(ClaimSettings settings, CountDownLatch written, Queue<Long> completed) {
		List<Future<?>> all = new ArrayList<>();
		for (int number = 0; number < WORKERS; number++) {
			ClaimWorker worker = ClaimWorker.of(this.tables, settings);
			all.add(this.threads.submit(() -> relay(worker, written, completed)));
		}
		return all;
	}

	private Void relay(ClaimWorker worker, CountDownLatch written, Queue<Long> completed) throws InterruptedException {
		boolean last = false;
		while (true) {
			try (Claim claim = worker.next()) {
				if (claim != null) {
					List<Long> ids = ClaimWorker.ids(claim);
					claim.complete(ids, List.of());
					completed.addAll(ids);
					continue;
				}
			}
			catch (CannotAcquireLockException ex) {
				acceptOfSkipping(ex);
				continue;
			}
			if (last) {
				return null;
			}
			last = written.await(5, TimeUnit.MILLISECONDS) && this.tables.depth() == 0;
		}
	}

	// On MariaDB, who is about to pass over a lock counts as one who waits for it.
	// Another
	// transaction that does wait may look for circles in that moment
	private void acceptOfSkipping(CannotAcquireLockException failure) {
		String deadlock = lastDeadlock();
		if (Servers.database().isMySql() || !deadlock.contains("SKIP LOCKED")) {
			throw new AssertionError("A wait in a circle: " + deadlock, failure);
		}
	}

	/**
	 * What the database says about the last deadlock, if it was one of these tables.
	 */
	private String lastDeadlock() {
		String status = this.tables.jdbc()
			.sql("SHOW ENGINE INNODB STATUS")
			.query((row, index) -> row.getString("Status"))
			.single();
		int begin = status.indexOf("LATEST DETECTED DEADLOCK");
		String deadlock = (begin >= 0) ? status.substring(begin, status.indexOf("\nTRANSACTIONS\n", begin)) : "";
		return deadlock.contains(this.tables.name()) ? deadlock : "";
	}

	private static void await(List<Future<?>> all) throws Exception {
		for (Future<?> one : all) {
			one.get(60, TimeUnit.SECONDS);
		}
	}

}
