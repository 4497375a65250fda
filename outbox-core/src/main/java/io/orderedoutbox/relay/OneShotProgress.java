/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

import io.orderedoutbox.relay.OneShotResult.Ending;
import io.orderedoutbox.relay.OneShotResult.Totals;
import io.orderedoutbox.relay.batch.RelayBatch;
import io.orderedoutbox.relay.batch.RelayBatch.Durations;
import org.jspecify.annotations.Nullable;

/**
 * What the workers of a {@link OneShotRelay} share: how far they have got, and whether
 * they are done.
 * <p>
 * A worker that finds nothing is not done as long as another worker has claimed messages:
 * behind them of their keys there may be more. All are done when the last worker at work
 * finds nothing, and nothing has changed since it began to look.
 */
final class OneShotProgress {

	private final OneShotSettings settings;

	private final Consumer<Batch> listener;

	private final long startedAt = System.nanoTime();

	private final Set<Long> failed = new HashSet<>();

	private Totals totals = new Totals(0, 0, 0, 0);

	private long left;

	private int atWork;

	private long changes;

	private volatile @Nullable Ending ending;

	private @Nullable String error;

	OneShotProgress(OneShotSettings settings, Consumer<Batch> listener) {
		this.settings = settings;
		this.listener = listener;
		this.left = (settings.limit() > 0) ? settings.limit() : Long.MAX_VALUE;
	}

	/**
	 * Whether nothing more is to be sent.
	 */
	boolean isOver() {
		return this.ending != null || isTimeUp();
	}

	private boolean isTimeUp() {
		return !this.settings.timeLimit().isZero() && elapsed().compareTo(this.settings.timeLimit()) >= 0;
	}

	private Duration elapsed() {
		return Duration.ofNanos(System.nanoTime() - this.startedAt);
	}

	/**
	 * A worker begins to look for messages.
	 * @return a mark that tells whether anything has changed since
	 */
	synchronized long begin() {
		this.atWork++;
		return this.changes;
	}

	/**
	 * Whether any more messages may be sent. While others are at work they may give some
	 * of theirs back.
	 */
	synchronized boolean isAnyLeft() {
		return this.left > 0;
	}

	/**
	 * Ask for leave to send messages.
	 * @return how many of them may be sent
	 */
	synchronized int take(int wanted) {
		int granted = (int) Math.min(wanted, this.left);
		this.left -= granted;
		return granted;
	}

	/**
	 * There is something to do for another worker.
	 */
	synchronized void wakeOthers() {
		this.changes++;
		notifyAll();
	}

	/**
	 * A batch has ended. What the worker was allowed to send and has not, others may.
	 */
	synchronized void done(RelayBatch ended) {
		Batch batch = batch(ended);
		if (!ended.lost()) {
			ended.failed().forEach((message) -> this.failed.add(message.message().id()));
			ended.published().forEach((message) -> this.failed.remove(message.message().id()));
		}
		this.left += Math.max(0, batch.claimed() - batch.published() - batch.failed());
		this.totals = new Totals(this.totals.batches() + 1, this.totals.claimed() + batch.claimed(),
				this.totals.published() + batch.published(), this.failed.size());
		this.listener.accept(batch);
		this.atWork--;
		wakeOthers();
	}

	private static Batch batch(RelayBatch ended) {
		Durations durations = ended.durations();
		return new Batch(ended.worker(), ended.messages(), ended.lost() ? 0 : ended.published().size(),
				ended.lost() ? 0 : ended.failed().size(), durations.claim(), durations.publish(), durations.complete());
	}

	/**
	 * A worker has found nothing. Wait until there may be something again, or all are
	 * done.
	 * @param mark what it was given when it began
	 */
	synchronized void nothingFound(long mark) throws InterruptedException {
		this.atWork--;
		if (this.atWork == 0 && this.changes == mark) {
			end((this.left > 0) ? Ending.DRAINED : Ending.LIMIT, null);
		}
		while (this.ending == null && this.changes == mark) {
			wait();
		}
	}

	/**
	 * Nothing more is to be sent. The first reason counts.
	 */
	synchronized void end(Ending reason, @Nullable String text) {
		if (this.ending == null) {
			this.ending = reason;
			this.error = text;
		}
		notifyAll();
	}

	synchronized OneShotResult result() {
		// The worker that ends last says why
		return new OneShotResult(Objects.requireNonNull(this.ending), this.error, this.totals, this.settings.workers(),
				elapsed());
	}

}
