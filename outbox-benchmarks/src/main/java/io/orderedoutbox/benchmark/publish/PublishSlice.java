/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.publish;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntConsumer;

import io.orderedoutbox.benchmark.application.AccountChanged;
import io.orderedoutbox.benchmark.application.Accounts;
import io.orderedoutbox.benchmark.application.Instance;
import io.orderedoutbox.benchmark.broker.BenchQueue;
import io.orderedoutbox.benchmark.cost.RoundTrips;
import io.orderedoutbox.benchmark.load.Payloads;
import io.orderedoutbox.benchmark.load.Workers;

/**
 * Short stretches of transactions, as many threads as there are workers, each with
 * accounts of its own.
 */
final class PublishSlice {

	static final int MANY = 20;

	/** For each worker. */
	static final int ACCOUNTS = 100;

	private final Accounts accounts;

	private final Workers workers;

	private final Payloads payloads;

	private final AtomicInteger published = new AtomicInteger();

	private final AtomicInteger committed = new AtomicInteger();

	PublishSlice(Accounts accounts, Workers workers, Payloads payloads) {
		this.accounts = accounts;
		this.workers = workers;
		this.payloads = payloads;
	}

	/**
	 * Run transactions.
	 * @param events how many events each has
	 * @param perWorker how many transactions each worker does
	 */
	Pace run(int events, int perWorker) throws InterruptedException {
		return run(perWorker, (account) -> this.accounts.change(account, events(account, events)));
	}

	/**
	 * Run transactions without events, each of which writes a row of the same size into a
	 * table of its own.
	 */
	Pace runByHand(int perWorker) throws InterruptedException {
		return run(perWorker, (account) -> this.accounts.changeAndNote(account, this.payloads.of(account)));
	}

	private Pace run(int perWorker, IntConsumer change) throws InterruptedException {
		int before = this.committed.get();
		LongAdder roundTrips = new LongAdder();
		long start = System.nanoTime();
		this.workers.run((worker) -> {
			long atFirst = RoundTrips.countOfThisThread();
			for (int i = 0; i < perWorker; i++) {
				change.accept(worker * ACCOUNTS + i % ACCOUNTS);
				this.committed.incrementAndGet();
			}
			roundTrips.add(RoundTrips.countOfThisThread() - atFirst);
		});
		double seconds = (System.nanoTime() - start) / 1e9;
		double transactions = this.committed.get() - before;
		return new Pace(transactions / seconds, roundTrips.sum() / transactions);
	}

	private AccountChanged[] events(int account, int count) {
		AccountChanged[] events = new AccountChanged[count];
		for (int i = 0; i < count; i++) {
			events[i] = AccountChanged.of(this.published.getAndIncrement(), account, this.payloads);
		}
		return events;
	}

	/**
	 * See that all of it is in the database, and relay it.
	 */
	void verify(Instance instance, BenchQueue queue) throws InterruptedException {
		int messages = this.published.get();
		if (instance.depth() != messages || this.accounts.changes() != this.committed.get()) {
			throw new IllegalStateException("Of %d events %d are in the outbox; of %d changes %d have been made"
				.formatted(messages, instance.depth(), this.committed.get(), this.accounts.changes()));
		}
		instance.relay().start();
		queue.await(messages);
		instance.relay().stop();
		// Workers share the numbers, so that these do not tell the order of an account
		queue.verify(messages, 0);
	}

	/**
	 * How fast a slice was.
	 *
	 * @param perSecond transactions a second
	 * @param roundTrips to the database, for each transaction
	 */
	record Pace(double perSecond, double roundTrips) {

	}

}
