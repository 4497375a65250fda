/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

import javax.sql.DataSource;

import io.orderedoutbox.jdbc.claim.ClaimSettings;
import io.orderedoutbox.jdbc.claim.SmallOutbox;
import io.orderedoutbox.relay.batch.FailurePolicy;
import io.orderedoutbox.relay.batch.FailurePolicy.OnExhausted;
import io.orderedoutbox.relay.batch.RetryPolicy;
import io.orderedoutbox.relay.batch.WorkerSettings;
import io.orderedoutbox.store.RelayStore;
import io.orderedoutbox.testing.WrappedRelayStore;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.util.unit.DataSize;

/**
 * Two instances of two workers, two writers, a broker, an operator and fate, on the
 * threads of a {@link Schedule}. Workers, claims and tables are those of the product;
 * broker, networks and clock are simulated. Required at every step: see
 * {@link SimulatedOrder}, {@link SimulatedOwners} and {@link SimulatedBroker}; in the
 * end, that everything has arrived.
 * <p>
 * A seed decides all but the time of the database, and which of two connections it hears
 * first.
 */
final class RelaySimulation {

	private static final int SHOWN = 100;

	private static final int WRITERS = 2;

	private static final int TRANSACTIONS = 8;

	private static final int MOST_STEPS = 400_000;

	private static final int[] BATCH_SIZES = { 1, 2, 4, 8, 16, 40 };

	private static final int[] IN_FLIGHT = { 1, 2, 5, 50 };

	private static final Duration LONG = Duration.ofHours(1);

	private static final Duration BATCH_TIME = Duration.ofMillis(100);

	private final long seed;

	private final Random random;

	private final SmallOutbox outbox;

	private final DataSource connections;

	private final List<String> steps = new ArrayList<>();

	private final Schedule schedule;

	private final SimulatedFaults faults;

	private final SimulatedOrder order;

	private final WorkerSettings settings;

	private final ClaimSettings claims;

	private final SimulatedBroker broker;

	private final SimulatedOwners owners;

	private final List<SimulatedInstance> instances = new ArrayList<>();

	private int started;

	private int writing = WRITERS;

	private int taken;

	/**
	 * Create a simulation.
	 * @param connections enough of them for all workers, and as many more
	 * @param server ends connections
	 */
	RelaySimulation(SmallOutbox outbox, DataSource connections, JdbcClient server, long seed) {
		this.seed = seed;
		this.random = new Random(seed);
		this.outbox = outbox;
		this.connections = connections;
		this.schedule = new Schedule(this.random);
		this.faults = new SimulatedFaults(this.schedule, this.random, server, this.steps);
		this.owners = new SimulatedOwners(this.schedule, this.faults);
		this.order = new SimulatedOrder(() -> outbox.messages("dead_letter"));
		FailurePolicy retry = new FailurePolicy(new RetryPolicy(LONG, 1, LONG, 0), this.random.nextInt(3),
				OnExhausted.DEAD_LETTER);
		this.settings = new WorkerSettings(Duration.ofMillis(50), BATCH_TIME, any(IN_FLIGHT), false,
				Duration.ofSeconds(1), BATCH_TIME.dividedBy(5), retry, retry.backOff());
		this.claims = new ClaimSettings(true, any(BATCH_SIZES),
				DataSize.ofBytes(this.random.nextBoolean() ? 500 : 1 << 20), Duration.ofSeconds(30),
				this.settings.pollInterval());
		this.broker = new SimulatedBroker(this.schedule, this.random, this.faults, this.order, this.settings);
	}

	private int any(int[] values) {
		return values[this.random.nextInt(values.length)];
	}

	/** Run it. */
	void run() {
		this.outbox.clear();
		try {
			Schedule.Actor working = this.schedule.start("broker", this.broker::work);
			this.instances.add(start("A"));
			this.instances.add(start("B"));
			for (int number = 0; number < WRITERS; number++) {
				SimulatedWriter writer = new SimulatedWriter(number, WRITERS, this.schedule, this.random, this.outbox,
						this.order);
				this.schedule.start("writer" + number, () -> write(writer));
			}
			this.schedule.start("fate", () -> strike(working));
			while (!isOver()) {
				if (++this.taken > MOST_STEPS) {
					throw new AssertionError("There are still " + this.outbox.count("message") + " messages");
				}
				this.schedule.step();
			}
			require();
		}
		catch (RuntimeException | AssertionError ex) {
			throw new AssertionError(
					"Seed %d, step %d, %s, %s: %s%n  %s".formatted(this.seed, this.taken, this.settings, this.claims,
							ex,
							String.join("\n  ",
									this.steps.subList(Math.max(0, this.steps.size() - SHOWN), this.steps.size()))),
					ex);
		}
		finally {
			this.faults.end();
			this.schedule.end();
		}
	}

	private SimulatedInstance start(String name) {
		String unique = name + this.started++;
		this.steps.add("instance " + unique + " starts");
		RelayStore store = this.outbox.relaying(new SteppedDataSource(this.connections, this.faults), this.claims,
				this.schedule);
		return new SimulatedInstance(unique + "-", 2, new WrappedRelayStore(store, this.owners::claimed), this.broker,
				this.settings, this.schedule, this.random);
	}

	private void write(SimulatedWriter writer) {
		writer.work(TRANSACTIONS, (partitions) -> {
			this.steps.add("committed to " + partitions);
			SimulatedInstance told = this.instances.get(this.random.nextInt(this.instances.size()));
			told.committed(partitions, this.schedule);
		});
		this.writing--;
	}

	// Until all is written, and then nothing happens any more but that keys are due
	private void strike(Schedule.Actor working) {
		while (true) {
			this.schedule.sleep(Duration.ofMillis(this.random.nextInt(60)));
			if (this.writing == 0 && !this.faults.isOver() && this.random.nextInt(20) == 0) {
				this.faults.end();
			}
			int chance = this.faults.isOver() ? 0 : this.random.nextInt(13);
			SimulatedInstance instance = this.instances.get(this.random.nextInt(this.instances.size()));
			switch (chance) {
				case 0, 1, 2 -> makeDue();
				case 3, 4 -> this.faults.loseAny();
				case 5 -> instance.workers().forEach((worker) -> stall(worker, Duration.ofSeconds(2)));
				case 6, 7 -> stall(instance.workers().get(0), Duration.ofMillis(300));
				case 8 -> goAway();
				case 9 -> crash(instance);
				case 10 -> stall(working, Duration.ofSeconds(2));
				default -> {
				}
			}
		}
	}

	private void makeDue() {
		this.outbox.makeDue();
		this.steps.add("what is parked is due");
	}

	private void stall(Schedule.Actor worker, Duration atMost) {
		Duration time = Duration.ofNanos(this.random.nextLong(atMost.toNanos()));
		this.faults.happens(worker + " stands still for " + time.toMillis() + " ms");
		worker.stall(this.schedule.getAsLong() + time.toNanos());
	}

	private void goAway() {
		Duration time = Duration.ofMillis(this.random.nextInt(200));
		this.faults.happens("the broker is away for " + time.toMillis() + " ms");
		this.broker.goAway(time);
	}

	private void crash(SimulatedInstance instance) {
		this.faults.happens("instance of " + instance.workers() + " is killed");
		instance.workers().forEach((worker) -> {
			worker.kill();
			this.faults.loseAllOf(worker);
		});
		this.instances.set(this.instances.indexOf(instance), start("C"));
	}

	// Asked seldom: it takes a statement
	private boolean isOver() {
		return this.faults.isOver() && this.taken % 50 == 0 && this.outbox.count("message") == 0
				&& this.outbox.count("parked") == 0;
	}

	private void require() {
		Set<UUID> missing = this.order.missing();
		if (!missing.isEmpty()) {
			throw new AssertionError("Lost: " + missing.stream().map(SimulatedOrder::brief).toList());
		}
		List<String> broken = this.outbox.broken(true);
		if (!broken.isEmpty()) {
			throw new AssertionError(String.join(", ", broken));
		}
	}

	int steps() {
		return this.taken;
	}

	int messages() {
		return this.order.count();
	}

	int suspended() {
		return this.owners.suspended();
	}

	int repeated() {
		return this.order.repeated();
	}

	int faults() {
		return this.faults.count();
	}

}
