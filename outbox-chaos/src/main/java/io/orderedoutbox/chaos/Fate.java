/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import io.orderedoutbox.chaos.fault.Fault;
import io.orderedoutbox.chaos.fault.FaultRecord;
import io.orderedoutbox.chaos.fault.Part;
import io.orderedoutbox.chaos.fault.World;
import org.jspecify.annotations.Nullable;

/**
 * Lets faults happen, one after the other and now and then two or three at a time, in an
 * order that the seed decides: all kinds come before one comes again. Now and then
 * nothing is broken for a moment.
 */
final class Fate {

	private static final int LANES = 3;

	private static final int BETWEEN_CALMS = 8;

	private static final int CALM_MILLIS = 4000;

	private final List<FaultRecord> records = new CopyOnWriteArrayList<>();

	private final Queue<String> failures = new ConcurrentLinkedQueue<>();

	private final List<Fault> deck = new ArrayList<>();

	private final Set<Part> broken = EnumSet.noneOf(Part.class);

	private final List<Thread> lanes = new ArrayList<>();

	private final CountDownLatch end = new CountDownLatch(1);

	// Who has chosen waits for the parts it needs before anybody else may choose
	private final ReentrantLock choice = new ReentrantLock(true);

	private final ReentrantLock parts = new ReentrantLock();

	private final Condition healed = this.parts.newCondition();

	private final World world;

	private final List<Fault> kinds;

	private final Random random;

	private final int target;

	private final long start = System.nanoTime();

	private int chosen;

	Fate(World world, List<Fault> kinds, ChaosSettings settings) {
		this.world = world;
		this.kinds = List.copyOf(kinds);
		this.random = new Random(settings.seed());
		this.target = settings.faults();
	}

	void start() {
		for (int lane = 0; lane < LANES; lane++) {
			Random rests = new Random(this.random.nextLong());
			int longestRest = (lane == 0) ? 1000 : 4000;
			Thread thread = new Thread(() -> run(rests, longestRest), "fate-" + lane);
			this.lanes.add(thread);
			thread.start();
		}
	}

	private void run(Random rests, int longestRest) {
		try {
			@Nullable Doom doom;
			while (!this.end.await(rests.nextInt(longestRest), TimeUnit.MILLISECONDS) && (doom = next()) != null) {
				try {
					happen(doom);
				}
				finally {
					heal(doom.fault().breaks());
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@SuppressWarnings("CatchAndPrintStackTrace")
	private void happen(Doom doom) {
		long began = System.nanoTime();
		try {
			doom.fault().happen(this.world, new Random(doom.seed()));
			record(doom.fault(), began);
			System.out.printf("%7.1f s  %s, for %.1f s%n", (began - this.start) / 1e9, doom.fault().kind(),
					(System.nanoTime() - began) / 1e9);
		}
		catch (Exception ex) {
			ex.printStackTrace();
			record(doom.fault(), began);
			this.failures.add("'%s' did not happen or did not heal: %s".formatted(doom.fault().kind(), ex));
			this.end.countDown();
		}
	}

	private void record(Fault fault, long began) {
		this.records.add(new FaultRecord(fault.kind(), fault.breaks(), began, System.nanoTime(), fault.frozenRelays()));
	}

	// Null when there have been enough
	private @Nullable Doom next() throws InterruptedException {
		this.choice.lockInterruptibly();
		try {
			if (this.chosen == this.target || this.kinds.isEmpty()) {
				return null;
			}
			this.chosen++;
			if (this.chosen % BETWEEN_CALMS == BETWEEN_CALMS / 2) {
				beCalm();
			}
			if (this.deck.isEmpty()) {
				this.deck.addAll(this.kinds);
				Collections.shuffle(this.deck, this.random);
			}
			Fault fault = this.deck.remove(this.deck.size() - 1);
			long seed = this.random.nextLong();
			breakParts(fault.breaks());
			return new Doom(fault, seed);
		}
		finally {
			this.choice.unlock();
		}
	}

	// What can only be measured while nothing is broken
	private void beCalm() throws InterruptedException {
		Set<Part> everything = EnumSet.allOf(Part.class);
		breakParts(everything);
		try {
			TimeUnit.MILLISECONDS.sleep(CALM_MILLIS);
		}
		finally {
			heal(everything);
		}
	}

	private void breakParts(Set<Part> breaks) throws InterruptedException {
		this.parts.lock();
		try {
			while (!Collections.disjoint(this.broken, breaks)) {
				this.healed.await();
			}
			this.broken.addAll(breaks);
		}
		finally {
			this.parts.unlock();
		}
	}

	private void heal(Set<Part> breaks) {
		this.parts.lock();
		try {
			this.broken.removeAll(breaks);
			this.healed.signalAll();
		}
		finally {
			this.parts.unlock();
		}
	}

	/**
	 * Wait until there have been enough faults, or one of them could not be healed.
	 * @return whether that was in time
	 */
	boolean join(long deadline) throws InterruptedException {
		for (Thread lane : this.lanes) {
			lane.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
		}
		this.end.countDown();
		return this.lanes.stream().noneMatch(Thread::isAlive);
	}

	List<FaultRecord> records() {
		return this.records;
	}

	List<String> failures() {
		return List.copyOf(this.failures);
	}

	private record Doom(Fault fault, long seed) {

	}

}
