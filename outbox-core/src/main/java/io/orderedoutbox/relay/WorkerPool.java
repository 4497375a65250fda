/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import io.orderedoutbox.relay.RelayStatus.Worker;
import io.orderedoutbox.send.OutboxScope;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers of a relay and their threads.
 */
final class WorkerPool {

	private static final Logger logger = LoggerFactory.getLogger(OutboxRelay.class);

	private final RelayContext context;

	private final Duration stopTimeout;

	private final List<RelayWorker> workers;

	private final List<Thread> threads = new ArrayList<>();

	WorkerPool(int size, Duration stopTimeout, RelayContext context, IntFunction<RelayWorker> worker) {
		this.context = context;
		this.stopTimeout = stopTimeout;
		this.workers = IntStream.rangeClosed(1, size).mapToObj(worker).toList();
	}

	void start() {
		try {
			for (RelayWorker worker : this.workers) {
				Thread thread = OutboxScope.thread(worker, "outbox-relay-" + worker.activity().number());
				thread.start();
				this.threads.add(thread);
			}
		}
		catch (RuntimeException | Error ex) {
			tellToStop();
			throw ex;
		}
	}

	/**
	 * What the workers let others see of themselves.
	 */
	List<Worker> seen() {
		return this.workers.stream().map((worker) -> worker.activity().seen()).toList();
	}

	void tellToStop() {
		this.context.stop().countDown();
		this.workers.forEach(RelayWorker::interruptUnlessSending);
	}

	boolean isToldToStop() {
		return this.context.isStopping();
	}

	/**
	 * Return when all workers have ended.
	 */
	void join() throws InterruptedException {
		for (Thread thread : this.threads) {
			thread.join();
		}
	}

	/**
	 * Return when all workers have ended, or the time is over.
	 */
	void awaitEnd() {
		long deadline = System.nanoTime() + this.stopTimeout.toNanos();
		boolean interrupted = false;
		for (Thread thread : this.threads) {
			// A listener may stop the relay that has called it
			if (thread != Thread.currentThread()) {
				interrupted |= await(thread, deadline);
				if (thread.isAlive()) {
					giveUp(thread);
				}
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	// Whether the caller was interrupted. That does not shorten it: what is in flight
	// would be cut off, and sent again
	private static boolean await(Thread thread, long deadline) {
		boolean interrupted = Thread.interrupted();
		long left = deadline - System.nanoTime();
		while (left > 0 && thread.isAlive()) {
			try {
				TimeUnit.NANOSECONDS.timedJoin(thread, left);
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
			left = deadline - System.nanoTime();
		}
		return interrupted;
	}

	private void giveUp(Thread thread) {
		logger.atWarn()
			.addKeyValue("worker", thread.getName())
			.addKeyValue("timeout", this.stopTimeout)
			.log("{} did not end within {}: it is interrupted, and the messages that it has claimed stay in the outbox",
					thread.getName(), this.stopTimeout);
		thread.interrupt();
	}

}
