/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.order;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.orderedoutbox.DelayStamp;
import io.orderedoutbox.PartitionKeyStamp;
import io.orderedoutbox.Stamp;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;

/**
 * Threads of one application that publish in transactions of one to four messages, to
 * keys that overlap. The writers of every other key share a lock of their own, a row with
 * the number of commits; those of the rest share nothing but the outbox.
 */
final class Writers {

	private static final int VARIANTS = 3;

	private final List<Thread> threads = new ArrayList<>();

	private final Queue<Commit> commits = new ConcurrentLinkedQueue<>();

	private final Queue<String> rolledBack = new ConcurrentLinkedQueue<>();

	private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

	private final Map<String, Long> notBefore = new ConcurrentHashMap<>();

	private final AtomicInteger published = new AtomicInteger();

	private final OutboxApplication application;

	private final SlowStore store;

	private final TestQueue queue;

	private final FuzzerSettings settings;

	Writers(OutboxApplication application, TestQueue queue, FuzzerSettings settings) {
		this.queue = queue;
		this.application = application;
		this.store = application.bean(SlowStore.class);
		this.settings = settings;
	}

	// Keys that only a binary collation without padding tells apart
	static String key(int number) {
		String word = "key-" + number / VARIANTS;
		return switch (number % VARIANTS) {
			case 0 -> word;
			case 1 -> word + " ";
			default -> word.toUpperCase(Locale.ROOT);
		};
	}

	static boolean isCounted(int number) {
		return number % 2 == 0;
	}

	void start() {
		for (int number = 0; number < this.settings.writers(); number++) {
			Random random = new Random(this.settings.seed() * 31 + number);
			Thread thread = new Thread(() -> write(random), "writer-" + number);
			this.threads.add(thread);
			thread.start();
		}
	}

	void join(long deadline) throws InterruptedException {
		for (Thread thread : this.threads) {
			thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
			if (thread.isAlive()) {
				this.failures.add(new IllegalStateException(thread.getName() + " did not end in time"));
				thread.interrupt();
			}
		}
	}

	private void write(Random random) {
		try {
			List<Integer> keys = List.of();
			while (this.published.get() < this.settings.messages() && !Thread.currentThread().isInterrupted()) {
				// Who has just committed often has more to say of the same
				if (keys.isEmpty() || random.nextBoolean()) {
					keys = random.ints(1 + random.nextInt(4), 0, this.settings.keys()).boxed().toList();
				}
				transaction(keys, random);
				while (waiting() > this.settings.backlog() && !Thread.currentThread().isInterrupted()) {
					LockSupport.parkNanos(1_000_000);
				}
			}
		}
		catch (RuntimeException | Error ex) {
			this.failures.add(ex);
		}
	}

	private void transaction(List<Integer> keys, Random random) {
		boolean rollback = random.nextInt(100) < 15;
		this.store.pauseBeforeCommit(pause(random));
		List<String> messageIds = new ArrayList<>();
		this.application.transaction().executeWithoutResult((status) -> {
			Map<Integer, Long> versions = lockCounters(keys);
			for (int number : keys) {
				LockSupport.parkNanos(pause(random).toNanos() / 10);
				messageIds.add(publish(number, versions, random));
			}
			saveCounters(versions);
			if (rollback) {
				status.setRollbackOnly();
			}
		});
		this.published.addAndGet(keys.size());
		if (rollback) {
			this.rolledBack.addAll(messageIds);
		}
		else {
			this.commits.add(new Commit(messageIds, System.nanoTime()));
		}
	}

	private int waiting() {
		return this.published.get() - this.rolledBack.size() - this.queue.arrivals().size();
	}

	// Mostly none, sometimes long
	private Duration pause(Random random) {
		return switch (random.nextInt(20)) {
			case 0 -> Duration.ofMillis(random.nextInt((int) this.settings.longestPause().toMillis()));
			case 1, 2, 3, 4 -> Duration.ofMillis(random.nextInt(4));
			default -> Duration.ZERO;
		};
	}

	private Map<Integer, Long> lockCounters(List<Integer> keys) {
		Map<Integer, Long> versions = new HashMap<>();
		for (int number : new TreeSet<>(keys)) {
			if (isCounted(number)) {
				versions.put(number,
						this.application.jdbc()
							.sql("SELECT version FROM fuzz_counter WHERE id = ? FOR UPDATE")
							.param(number)
							.query(Long.class)
							.single());
			}
		}
		return versions;
	}

	private void saveCounters(Map<Integer, Long> versions) {
		versions.forEach((number, version) -> this.application.jdbc()
			.sql("UPDATE fuzz_counter SET version = ? WHERE id = ?")
			.params(version, number)
			.update());
	}

	private String publish(int number, Map<Integer, Long> versions, Random random) {
		long version = isCounted(number) ? versions.merge(number, 1L, Long::sum) : 0;
		boolean flaky = random.nextInt(10) == 0;
		Object event = flaky ? new Flaky(key(number), version) : new Steady(key(number), version);
		Duration delay = delay(random);
		long notBefore = System.nanoTime() + delay.toNanos();
		List<Stamp> stamps = new ArrayList<>();
		if (!isCounted(number) && random.nextInt(5) == 0) {
			stamps.add(PartitionKeyStamp.none());
		}
		if (!delay.isZero()) {
			stamps.add(DelayStamp.of(delay));
		}
		String messageId = this.application.outbox().publish(event, stamps.toArray(Stamp[]::new)).toString();
		this.notBefore.put(messageId, notBefore);
		return messageId;
	}

	private Duration delay(Random random) {
		long longest = this.settings.longestDelay().toMillis();
		return (longest > 0 && random.nextInt(10) == 0) ? Duration.ofMillis(1 + random.nextLong(longest))
				: Duration.ZERO;
	}

	/**
	 * Before when a message must not arrive, by {@link System#nanoTime}.
	 */
	long notBefore(String messageId) {
		return this.notBefore.get(messageId);
	}

	Collection<Commit> commits() {
		return this.commits;
	}

	Collection<String> rolledBack() {
		return this.rolledBack;
	}

	Collection<Throwable> failures() {
		return this.failures;
	}

	long commitBegan(String messageId) {
		return this.store.commitBegan(messageId);
	}

}
