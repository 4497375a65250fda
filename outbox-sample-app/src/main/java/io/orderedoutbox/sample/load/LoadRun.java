/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.load;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.orderedoutbox.sample.order.OrderService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.support.TransactionTemplate;

/**
 * One run of the load: places the orders, adds lines to them at random, ships them.
 * <p>
 * Some changes are first made in a transaction that is rolled back after the event has
 * been published, and then once more in one that commits: the events of the former must
 * never be seen.
 */
final class LoadRun {

	private static final Logger logger = LoggerFactory.getLogger(LoadRun.class);

	private static final int ROLLED_BACK_ONE_IN = 20;

	private final LoadRequest request;

	private final OrderService orders;

	private final TransactionTemplate transactions;

	private final ExecutorService threads;

	private final Thread conductor = new Thread(this::run, "load");

	private final AtomicInteger committed = new AtomicInteger();

	private final AtomicInteger rolledBack = new AtomicInteger();

	private volatile boolean running = true;

	private volatile @Nullable String failure;

	LoadRun(LoadRequest request, OrderService orders, TransactionTemplate transactions) {
		this.request = request;
		this.orders = orders;
		this.transactions = transactions;
		this.threads = Executors.newFixedThreadPool(request.threads());
	}

	void start() {
		this.conductor.start();
	}

	void stop() {
		this.conductor.interrupt();
	}

	LoadStatus status() {
		return new LoadStatus(this.running, this.request.events(), this.request.orders(), this.committed.get(),
				this.rolledBack.get(), this.failure);
	}

	private void run() {
		try {
			List<UUID> placed = inParallel(this.request.orders(), (index) -> place());
			inParallel(this.request.events() - 2 * placed.size(), (index) -> addLine(anyOf(placed)));
			inParallel(placed.size(), (index) -> ship(placed.get(index)));
		}
		catch (InterruptedException ex) {
			this.failure = "The application stopped";
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException ex) {
			logger.warn("The load ends early, after {} events", this.committed, ex.getCause());
			this.failure = String.valueOf(ex.getCause());
		}
		finally {
			this.threads.shutdownNow();
			this.running = false;
		}
	}

	private List<UUID> inParallel(int count, IntFunction<UUID> task) throws InterruptedException, ExecutionException {
		List<Future<UUID>> futures = IntStream.range(0, count)
			.mapToObj((index) -> this.threads.submit(() -> task.apply(index)))
			.toList();
		List<UUID> results = new ArrayList<>(count);
		for (Future<UUID> future : futures) {
			results.add(future.get());
		}
		return results;
	}

	private UUID place() {
		return change(() -> this.orders.place(Assortment.customer(), List.of(Assortment.line())));
	}

	private UUID addLine(UUID id) {
		return change(() -> {
			this.orders.addLine(id, Assortment.line());
			return id;
		});
	}

	private UUID ship(UUID id) {
		return change(() -> {
			this.orders.ship(id);
			return id;
		});
	}

	private UUID change(Supplier<UUID> change) {
		if (ThreadLocalRandom.current().nextInt(ROLLED_BACK_ONE_IN) == 0) {
			rollBack(change);
		}
		UUID id = change.get();
		this.committed.incrementAndGet();
		return id;
	}

	private void rollBack(Supplier<UUID> change) {
		this.transactions.execute((status) -> {
			UUID id = change.get();
			status.setRollbackOnly();
			return id;
		});
		this.rolledBack.incrementAndGet();
	}

	private static UUID anyOf(List<UUID> ids) {
		return ids.get(ThreadLocalRandom.current().nextInt(ids.size()));
	}

}
