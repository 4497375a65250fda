/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Runs threads one at a time, in an order that a seed decides, by a clock of its own.
 * <ol>
 * <li>A thread runs until it pauses or sleeps. It does so wherever it calls something
 * that the test has put in its way.</li>
 * <li>Then the schedule chooses one of the threads that are awake, and lets it go on. The
 * clock goes on by a little; if no thread is awake, to the time when the next one is to
 * wake up.</li>
 * <li>A process that is killed ends where it is: each of its threads throws
 * {@link ProcessKilled} when it is to go on.</li>
 * </ol>
 * All that the threads share they may use without locks, because only one runs.
 */
final class Schedule implements LongSupplier {

	private static final Duration STUCK = Duration.ofSeconds(60);

	private final Random random;

	private final List<Actor> actors = new ArrayList<>();

	private final Semaphore handedBack = new Semaphore(0);

	private long now = 1;

	private @Nullable Actor current;

	private @Nullable Throwable failure;

	Schedule(Random random) {
		this.random = random;
	}

	/**
	 * A thread begins, asleep until it is chosen.
	 */
	Actor start(String name, Runnable work) {
		Actor actor = new Actor(name, this.now);
		this.actors.add(actor);
		Thread thread = new Thread(() -> run(actor, work), name);
		thread.setDaemon(true);
		actor.thread = thread;
		thread.start();
		return actor;
	}

	private void run(Actor actor, Runnable work) {
		try {
			actor.awaitTurn();
			work.run();
		}
		catch (ProcessKilled ex) {
			// As it was told
		}
		catch (Throwable ex) {
			fail(ex);
		}
		finally {
			actor.ended = true;
			this.handedBack.release();
		}
	}

	/**
	 * Something is not as it must be. The product would take an error that is thrown for
	 * one of a message.
	 */
	void fail(Throwable reason) {
		this.failure = (this.failure != null) ? this.failure : reason;
	}

	/**
	 * The time, in nanoseconds. No two moments are the same.
	 */
	@Override
	public long getAsLong() {
		return this.now++;
	}

	/** The thread that runs, null if it is that of the test. */
	@Nullable Actor current() {
		return this.current;
	}

	/** Let others go on. */
	void pause() {
		sleep(Duration.ZERO);
	}

	/** Let others go on, for some time at least unless another thread wakes this one. */
	void sleep(Duration time) {
		Actor actor = this.current;
		if (actor != null) {
			actor.wakeAt = this.now + time.toNanos();
			this.handedBack.release();
			actor.awaitTurn();
		}
	}

	/** Let a thread that sleeps go on. */
	void wake(Actor actor) {
		actor.wakeAt = Math.min(actor.wakeAt, this.now);
	}

	/** Let one thread go on. */
	void step() {
		List<Actor> living = this.actors.stream().filter((actor) -> !actor.ended).toList();
		this.now += this.random.nextInt(200_000);
		long next = living.stream().mapToLong(Actor::goesOnAt).min().orElseThrow();
		this.now = Math.max(this.now, next);
		List<Actor> awake = living.stream().filter((actor) -> actor.goesOnAt() <= this.now).toList();
		goOn(awake.get(this.random.nextInt(awake.size())));
		if (this.failure != null) {
			throw new AssertionError(this.failure);
		}
	}

	private void goOn(Actor actor) {
		this.current = actor;
		actor.turn.release();
		try {
			if (!this.handedBack.tryAcquire(STUCK.toSeconds(), TimeUnit.SECONDS)) {
				throw new AssertionError(actor + " is stuck at "
						+ Arrays.stream(actor.thread.getStackTrace()).limit(20).map(String::valueOf).toList());
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
		finally {
			this.current = null;
		}
	}

	/** Kill all, and let them end. */
	void end() {
		this.actors.forEach(Actor::kill);
		this.actors.stream().filter((actor) -> !actor.ended).forEach((actor) -> {
			while (!actor.ended) {
				goOn(actor);
			}
		});
	}

	/**
	 * A thread of the schedule.
	 */
	static final class Actor {

		private final String name;

		private final Semaphore turn = new Semaphore(0);

		private Thread thread = Thread.currentThread();

		private long wakeAt;

		private long stalledUntil;

		private boolean killed;

		private volatile boolean ended;

		Actor(String name, long wakeAt) {
			this.name = name;
			this.wakeAt = wakeAt;
		}

		private void awaitTurn() {
			this.turn.acquireUninterruptibly();
			if (this.killed) {
				throw new ProcessKilled();
			}
		}

		/** Have it end where it is. */
		void kill() {
			this.killed = true;
			this.wakeAt = 0;
			this.stalledUntil = 0;
		}

		/** Have it stand still until some time, whatever wakes it. */
		void stall(long until) {
			this.stalledUntil = until;
		}

		private long goesOnAt() {
			return Math.max(this.wakeAt, this.stalledUntil);
		}

		@Override
		public String toString() {
			return this.name;
		}

	}

	/**
	 * The process of a thread is dead.
	 */
	static final class ProcessKilled extends Error {

		private static final long serialVersionUID = 1L;

	}

}
