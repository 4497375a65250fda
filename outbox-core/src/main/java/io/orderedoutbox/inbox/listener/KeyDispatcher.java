/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does the work of many keys side by side, and that of each key one after the other.
 * <ol>
 * <li>Work of a key that has none begins as soon as a thread is free. All other work of
 * the key waits behind it.</li>
 * <li>Work that is done makes room for the next of its key, which goes behind what other
 * keys have waiting: a key with much work does not keep others waiting.</li>
 * <li>Work that has failed says after which pause it wants to be tried again. Its key
 * waits, and keeps no thread meanwhile.</li>
 * <li>Work can become void, because the connection that it came by is closed. It says so
 * by itself and does nothing then. If it is in a pause, the next work of the key ends the
 * pause: that may be the same message once more.</li>
 * <li>Work for which no thread can be started begins after a pause as well.</li>
 * <li>Closing ends all pauses and forgets all that waits. What has begun is awaited.</li>
 * </ol>
 */
final class KeyDispatcher {

	private static final Logger logger = LoggerFactory.getLogger(KeyDispatcher.class);

	private static final Duration UNEXPECTED = Duration.ofSeconds(1);

	private static final int IDLE_SECONDS = 30;

	private final Map<String, Sequence> sequences = new HashMap<>();

	private final ThreadPoolExecutor threads;

	private long pauses;

	private boolean closed;

	KeyDispatcher(int concurrency, ThreadFactory factory) {
		this.threads = new ThreadPoolExecutor(concurrency, concurrency, IDLE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), factory);
		this.threads.allowCoreThreadTimeOut(true);
		// The thread that ends pauses begins here: a pause also stands in for a thread
		// that the system does not have
		CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS, Runnable::run).execute(() -> {
		});
	}

	/** Do some work after all work that was given before for the same key. */
	synchronized void add(String key, Work work) {
		if (this.closed) {
			return;
		}
		Sequence sequence = this.sequences.get(key);
		if (sequence == null) {
			sequence = new Sequence(work);
			this.sequences.put(key, sequence);
			begin(key, sequence);
		}
		else {
			sequence.waiting.add(work);
			if (sequence.isPaused && sequence.head.isVoid()) {
				resume(key, sequence);
			}
		}
	}

	private void begin(String key, Sequence sequence) {
		try {
			this.threads.execute(() -> run(key, sequence));
		}
		// The system may have no thread left, which is an Error
		catch (RuntimeException | Error ex) {
			logger.atError()
				.setCause(ex)
				.addKeyValue("error", ex.toString())
				.log("No thread could begin to process a message, which is tried again");
			pause(key, sequence, UNEXPECTED);
		}
	}

	private void resume(String key, Sequence sequence) {
		sequence.isPaused = false;
		begin(key, sequence);
	}

	private void run(String key, Sequence sequence) {
		if (isClosed()) {
			return;
		}
		Duration pause = attempt(sequence.head);
		synchronized (this) {
			if (this.closed) {
				return;
			}
			if (pause != null && !sequence.head.isVoid()) {
				pause(key, sequence, pause);
			}
			else if (sequence.next()) {
				begin(key, sequence);
			}
			else {
				this.sequences.remove(key);
			}
		}
	}

	private static @Nullable Duration attempt(Work work) {
		try {
			return work.run();
		}
		catch (RuntimeException | Error ex) {
			logger.atError()
				.setCause(ex)
				.addKeyValue("error", ex.toString())
				.log("What a message has led to has failed by itself, and is tried again");
			return UNEXPECTED;
		}
	}

	private void pause(String key, Sequence sequence, Duration pause) {
		sequence.isPaused = true;
		long number = ++this.pauses;
		sequence.pause = number;
		// Knows no work: it may outlive the dispatcher by far
		CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS, Runnable::run)
			.execute(() -> endPause(key, number));
	}

	private synchronized void endPause(String key, long number) {
		Sequence sequence = this.sequences.get(key);
		if (sequence != null && sequence.isPaused && sequence.pause == number) {
			resume(key, sequence);
		}
	}

	private synchronized boolean isClosed() {
		return this.closed;
	}

	/** Return the works of each key whose first one has failed and is tried again. */
	synchronized List<List<Work>> held() {
		List<List<Work>> held = new ArrayList<>();
		for (Sequence sequence : this.sequences.values()) {
			if (sequence.head.hasFailed() && !sequence.head.isVoid()) {
				List<Work> works = new ArrayList<>(sequence.waiting);
				works.add(0, sequence.head);
				held.add(works);
			}
		}
		return held;
	}

	/** Begin nothing more. */
	synchronized void close() {
		this.closed = true;
		this.sequences.clear();
		this.threads.shutdown();
	}

	/**
	 * Wait for what has begun.
	 * @return whether all of it has ended in time
	 */
	boolean awaitEnd(Duration timeout) throws InterruptedException {
		return this.threads.awaitTermination(timeout.toMillis(), TimeUnit.MILLISECONDS);
	}

	/** Something to be done for a key. */
	interface Work {

		/**
		 * Do it, if it is not void. Does not throw.
		 * @return after which time it wants to be done again, null if it is done
		 */
		@Nullable Duration run();

		/** The queue that it comes from. */
		String queue();

		/** Whether it must not be done any more. */
		boolean isVoid();

		/** Whether it was tried, and is to be tried again. */
		boolean hasFailed();

	}

	private static final class Sequence {

		private final Queue<Work> waiting = new ArrayDeque<>();

		private volatile Work head;

		private boolean isPaused;

		private long pause;

		Sequence(Work head) {
			this.head = head;
		}

		boolean next() {
			Work next = this.waiting.poll();
			if (next != null) {
				this.head = next;
			}
			return next != null;
		}

	}

}
