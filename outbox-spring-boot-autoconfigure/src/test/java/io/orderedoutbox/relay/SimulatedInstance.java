/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import io.orderedoutbox.relay.Schedule.Actor;
import io.orderedoutbox.relay.Schedule.ProcessKilled;
import io.orderedoutbox.relay.batch.CircuitBreakers;
import io.orderedoutbox.relay.batch.Rehearsals;
import io.orderedoutbox.relay.batch.RetryPolicy;
import io.orderedoutbox.relay.batch.WorkFailure;
import io.orderedoutbox.relay.batch.WorkerSettings;
import io.orderedoutbox.store.RelayStore;

/**
 * A process with a relay: the workers of the product, on threads of the schedule.
 */
final class SimulatedInstance {

	private static final RetryPolicy PAUSES = new RetryPolicy(Duration.ofMillis(100), 2, Duration.ofSeconds(1), 0);

	private final RelayStore store;

	private final List<Actor> workers;

	SimulatedInstance(String name, int workers, RelayStore store, SimulatedBroker broker, WorkerSettings settings,
			Schedule schedule, Random random) {
		this.store = store;
		RelayContext context = new RelayContext(broker, settings, new CircuitBreakers(PAUSES, schedule),
				new Rehearsals(settings.retry()), new RelayListener() {
				}, new CountDownLatch(1), schedule);
		this.workers = IntStream.range(0, workers).mapToObj((number) -> {
			RelayWorker worker = new RelayWorker(number, store.claims(), context,
					new Policy(schedule, broker, settings, random));
			return schedule.start(name + number, worker);
		}).toList();
	}

	List<Actor> workers() {
		return this.workers;
	}

	/** Messages were committed by this process. */
	void committed(Set<Integer> partitions, Schedule schedule) {
		this.store.committed(partitions);
		this.workers.forEach(schedule::wake);
	}

	/**
	 * That of a relay that goes on until it is stopped, by the clock of the schedule.
	 */
	private static final class Policy implements WorkerPolicy {

		private static final Duration AFTER_A_FAILURE = Duration.ofMillis(20);

		private final Schedule schedule;

		private final SimulatedBroker broker;

		private final WorkerSettings settings;

		private final Random random;

		Policy(Schedule schedule, SimulatedBroker broker, WorkerSettings settings, Random random) {
			this.schedule = schedule;
			this.broker = broker;
			this.settings = settings;
			this.random = random;
		}

		@Override
		public boolean awaitTurn(RelayWorker worker) {
			this.schedule.pause();
			return true;
		}

		@Override
		public boolean begin(RelayWorker worker) {
			this.broker.newBatch();
			return true;
		}

		@Override
		public boolean isOver() {
			return false;
		}

		// Now and then a part, as a relay that may send so many messages and no more
		@Override
		public int grant(int messages) {
			return (this.random.nextInt(8) == 0) ? 1 + this.random.nextInt(messages) : messages;
		}

		@Override
		public void wakeAnother() {
		}

		@Override
		public void ended(RelayWorker worker, EndedBatch batch) {
			if (batch.failure() != null) {
				failed(worker, batch.failure());
			}
			else if (!batch.more()) {
				nothingFound(worker);
			}
		}

		@Override
		public void nothingFound(RelayWorker worker) {
			Duration rest = worker.giveBack();
			Duration interval = this.settings.pollInterval();
			this.schedule.sleep((rest.compareTo(interval) < 0) ? rest : interval);
		}

		@Override
		public void failed(RelayWorker worker, Throwable failure) {
			if (failure instanceof ProcessKilled killed) {
				throw killed;
			}
			if (!WorkFailure.of(failure).isOutage()) {
				throw new AssertionError("No outage", failure);
			}
			worker.giveBack();
			this.schedule.sleep(AFTER_A_FAILURE);
		}

	}

}
