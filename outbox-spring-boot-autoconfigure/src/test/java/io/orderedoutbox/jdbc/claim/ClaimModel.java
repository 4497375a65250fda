/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

import io.orderedoutbox.jdbc.claim.LossyDataSource.Loss;
import io.orderedoutbox.store.KeySequence;
import org.awaitility.Awaitility;

import org.springframework.util.unit.DataSize;

/**
 * Writers, three workers of two instances, an operator and fate, driven by hand in random
 * steps beside {@link ModelledKeys}, which know what may be claimed. A seed decides all
 * but the time of the database.
 */
final class ClaimModel {

	private static final int SHOWN = 60;

	private static final int ENOUGH = 60;

	private static final int[] BATCH_SIZES = { 1, 2, 3, 5, 8, 12, 16, 24, 33, 40 };

	private static final int[] BATCH_BYTES = { 300, 1_000, 1 << 20 };

	private final List<String> steps = new ArrayList<>();

	private final AtomicLong clock = new AtomicLong(1);

	private final long seed;

	private final Random random;

	private final SmallOutbox outbox;

	private final List<ModelledInstance> instances;

	private final Mode mode;

	private final ClaimSettings settings;

	private final ModelledKeys keys;

	private final ModelledWriter writer;

	private int taken;

	ClaimModel(SmallOutbox outbox, List<ModelledInstance> instances, Mode mode, long seed) {
		this.outbox = outbox;
		this.instances = instances;
		this.mode = mode;
		this.seed = seed;
		this.random = new Random(seed);
		boolean ordered = mode != Mode.UNORDERED;
		this.settings = new ClaimSettings(ordered, BATCH_SIZES[this.random.nextInt(BATCH_SIZES.length)],
				DataSize.ofBytes(BATCH_BYTES[this.random.nextInt(BATCH_BYTES.length)]), Duration.ofSeconds(30),
				this.random.nextBoolean() ? Duration.ZERO : Duration.ofMillis(50));
		this.keys = new ModelledKeys(ordered);
		this.writer = new ModelledWriter(outbox, this.keys, ordered, seed);
	}

	/**
	 * Take so many steps, and then let everything be claimed that is left.
	 */
	void run(int count) {
		this.outbox.clear();
		try {
			this.instances.forEach(this::start);
			for (this.taken = 1; this.taken <= count; this.taken++) {
				step();
			}
			end();
			this.instances.forEach(ModelledInstance::stop);
		}
		catch (RuntimeException | AssertionError ex) {
			throw new AssertionError(
					"Seed %d, step %d, %s, %s: %s%n  %s".formatted(this.seed, this.taken, this.mode, this.settings, ex,
							String.join("\n  ",
									this.steps.subList(Math.max(0, this.steps.size() - SHOWN), this.steps.size()))),
					ex);
		}
		finally {
			this.writer.close();
			this.instances.forEach(ModelledInstance::abandon);
		}
	}

	private void start(ModelledInstance instance) {
		this.steps.add("instance " + instance.name() + " starts");
		instance.start((instance == this.instances.get(0)) ? 2 : 1, this.settings, this.clock::get, this.keys);
	}

	private void step() {
		int chance = this.random.nextInt(100);
		ModelledInstance instance = this.instances.get(this.random.nextInt(this.instances.size()));
		ModelledWorker worker = worker();
		if (chance < 20 && this.keys.count() < ENOUGH) {
			Set<Integer> partitions = this.writer.commit(this.random, this.steps);
			if (this.random.nextBoolean()) {
				instance.store().committed(partitions);
			}
		}
		else if (chance < 26) {
			writeLate();
		}
		else if (chance < 72) {
			work(worker);
		}
		else if (chance < 80) {
			spoil(worker);
		}
		else if (chance < 86) {
			makeDue();
		}
		else if (chance < 94) {
			this.clock.addAndGet(1 + this.random.nextInt(100_000_000));
		}
		else if (chance < 97) {
			instance.store().committed(Set.of());
		}
		else if (chance < 98) {
			start(instance);
		}
		else if (chance < 99 && instance.workers().stream().noneMatch(ModelledWorker::hasClaim)) {
			this.steps.add("instance " + instance.name() + " finds another server");
			instance.changeServer("server-" + this.random.nextInt());
		}
		else {
			requireWhole();
		}
	}

	private void work(ModelledWorker worker) {
		if (!worker.hasClaim()) {
			this.steps.add(worker.claim());
		}
		else if (worker.isSuspended()) {
			this.steps.add(worker.settleLate(this.random));
		}
		else {
			this.steps.add(worker.complete(this::send, this.random, null));
		}
	}

	private ModelledOutcome send(KeySequence sequence) {
		return (this.mode == Mode.PIPELINED) ? ModelledOutcome.pipelined(sequence, this.random)
				: ModelledOutcome.strict(sequence, this.random);
	}

	private ModelledWorker worker() {
		List<ModelledWorker> workers = workers();
		return workers.get(this.random.nextInt(workers.size()));
	}

	private List<ModelledWorker> workers() {
		return this.instances.stream().flatMap((instance) -> instance.workers().stream()).toList();
	}

	private void writeLate() {
		if (this.writer.isOpen()) {
			this.writer.end(this.random.nextInt(4) > 0, this.steps);
		}
		else {
			this.writer.begin(this.random, this.steps);
		}
	}

	private void spoil(ModelledWorker worker) {
		if (!worker.hasClaim()) {
			worker.worker().rest();
			return;
		}
		int chance = worker.isSuspended() ? 0 : this.random.nextInt(4);
		switch (chance) {
			case 0 -> this.steps.add(worker.close());
			case 1 -> this.steps.add(worker.lose());
			case 2 -> loseCommit(worker);
			default -> suspend(worker);
		}
	}

	private void loseCommit(ModelledWorker worker) {
		Loss loss = Loss.values()[this.random.nextInt(2)];
		worker.instance().connections().loseNextCommit(loss);
		this.steps.add(worker.complete(this::send, this.random, loss));
		worker.instance().connections().loseNextCommit(null);
	}

	private void suspend(ModelledWorker worker) {
		if (!worker.isLost()) {
			this.steps.add(worker.suspend(this::send, this.random));
		}
	}

	private void makeDue() {
		Set<String> due = new HashSet<>();
		this.outbox.makeDue().stream().map(UUID::fromString).forEach((head) -> {
			due.add(this.keys.keyOf(head));
			this.keys.released(head);
		});
		this.keys.due(due);
		this.steps.add("due: " + due);
	}

	private void requireWhole() {
		List<String> broken = this.outbox.broken(this.mode != Mode.UNORDERED);
		if (!broken.isEmpty()) {
			throw new AssertionError(String.join(", ", broken));
		}
		if (this.outbox.count("message") != this.keys.count()) {
			throw new AssertionError(
					"There are " + this.outbox.count("message") + " messages, but should be " + this.keys);
		}
	}

	// Each round at least one message is sent, unless it is too early to ask again
	private void end() {
		if (this.writer.isOpen()) {
			this.writer.end(true, this.steps);
		}
		workers().stream().filter(ModelledWorker::hasClaim).forEach((worker) -> this.steps.add(worker.close()));
		// The server ends a connection that was lost a moment later than its worker
		Awaitility.await().until(this.outbox::isFree);
		this.outbox.releaseAll();
		this.keys.allReleased();
		makeDue();
		requireWhole();
		for (int left = 3 * this.keys.count() + 50; left > 0 && !isOver(); left--) {
			this.clock.addAndGet(Duration.ofSeconds(1).toNanos());
			ModelledWorker worker = worker();
			this.steps.add(worker.claim());
			if (worker.hasClaim()) {
				this.steps.add(worker.completeAll());
			}
		}
		if (!isOver()) {
			throw new AssertionError(
					"Not claimed in the end: " + this.keys + ", parked keys: " + this.outbox.count("parked"));
		}
		requireWhole();
		requireAll("dead_letter", this.keys.dead());
		requireAll("archive", this.keys.archived());
	}

	private void requireAll(String table, Set<UUID> expected) {
		List<UUID> found = this.outbox.messages(table);
		if (!expected.equals(Set.copyOf(found)) || found.size() != expected.size()) {
			throw new AssertionError("Table %s should have %s, but has %s".formatted(table,
					expected.stream().map(ModelledKeys::brief).sorted().toList(),
					found.stream().map(ModelledKeys::brief).sorted().toList()));
		}
	}

	private boolean isOver() {
		return this.keys.count() == 0 && this.outbox.count("parked") == 0;
	}

	/**
	 * How messages are sent.
	 */
	enum Mode {

		/** Of a key one at a time, until one fails. */
		STRICT,

		/** What is behind a failure may have been sent. */
		PIPELINED,

		/** Without order. */
		UNORDERED

	}

}
