/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.app;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Threads that publish in transactions of one to four messages, now and then of many, to
 * keys that overlap, and roll some of them back. When the database fails them they try
 * something else a moment later.
 */
final class Writers implements ApplicationListener<ApplicationReadyEvent>, DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(Writers.class);

	private static final int MANY = 20;

	private static final int STOP_MILLIS = 30_000;

	private final List<Thread> threads = new ArrayList<>();

	private final CountDownLatch end = new CountDownLatch(1);

	private final AtomicLong transactions = new AtomicLong();

	private final WriterProperties properties;

	private final TransactionTemplate transaction;

	private final Demand demand;

	private final CommitLog commits;

	private final Publications publications;

	private final TraceFile refusals;

	Writers(WriterProperties properties, TransactionTemplate transaction, Demand demand, CommitLog commits,
			Publications publications) {
		this.properties = properties;
		this.transaction = transaction;
		this.demand = demand;
		this.commits = commits;
		this.publications = publications;
		this.refusals = new TraceFile(properties.directory().resolve(properties.life() + ".refusals"));
	}

	@Override
	public void onApplicationEvent(ApplicationReadyEvent event) {
		for (int number = 0; number < this.properties.threads(); number++) {
			Random random = new Random(this.properties.seed() + this.properties.life().hashCode() * 31L + number);
			Thread thread = new Thread(() -> write(random), "writer-" + number);
			this.threads.add(thread);
			thread.start();
		}
	}

	private void write(Random random) {
		try {
			List<Integer> keys = List.of();
			while (!rest()) {
				// Who has just committed often has more to say of the same
				if (keys.isEmpty() || random.nextBoolean()) {
					int size = (random.nextInt(MANY) == 0) ? MANY : 1 + random.nextInt(4);
					keys = random.ints(size, 0, this.properties.keys()).boxed().toList();
				}
				write(keys, random);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (RuntimeException | Error ex) {
			logger.error("A writer failed for a reason that is not the database's", ex);
		}
	}

	// Whether it is over
	private boolean rest() throws InterruptedException {
		Duration pause = this.demand.pause();
		while (pause.isNegative() && !this.end.await(10, TimeUnit.MILLISECONDS)) {
			pause = this.demand.pause();
		}
		return this.end.await(Math.max(0, pause.toMillis()), TimeUnit.MILLISECONDS);
	}

	private void write(List<Integer> keys, Random random) throws InterruptedException {
		long number = ((long) this.properties.life().hashCode() << 32) + this.transactions.incrementAndGet();
		boolean rollback = random.nextInt(10) == 0;
		LedgerStore.nextEntry(number, pause(random));
		try {
			this.transaction.executeWithoutResult((status) -> {
				Map<Integer, Long> versions = this.publications.nextVersions(keys);
				keys.forEach((key) -> this.publications.publish(key, versions, random));
				if (rollback) {
					status.setRollbackOnly();
				}
			});
			if (!rollback) {
				this.commits.add(number, keys.size());
			}
		}
		catch (DataAccessException | TransactionException ex) {
			this.refusals.add(ex.toString());
			this.end.await(50 + random.nextInt(100), TimeUnit.MILLISECONDS);
		}
	}

	// Mostly none, sometimes long
	private Duration pause(Random random) {
		return switch (random.nextInt(50)) {
			case 0 -> Duration.ofMillis(random.nextInt((int) this.properties.longestPause().toMillis()));
			case 1, 2, 3, 4 -> Duration.ofMillis(random.nextInt(4));
			default -> Duration.ZERO;
		};
	}

	@Override
	public void destroy() throws InterruptedException {
		this.end.countDown();
		for (Thread thread : this.threads) {
			thread.join(STOP_MILLIS);
		}
	}

}
