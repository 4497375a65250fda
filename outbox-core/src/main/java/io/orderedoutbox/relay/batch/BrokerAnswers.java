/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.time.Duration;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.function.LongSupplier;

/**
 * When the broker has answered the workers of a relay, and how long it took. What is
 * wrong here costs time, and no order.
 */
final class BrokerAnswers {

	// The time of a slow answer counts half after that, or after twice its own length.
	// Quick answers do not shorten it: other destinations may give them
	private static final long HALF_LIFE = Duration.ofSeconds(5).toNanos();

	private final LongSupplier clock;

	// The latest, by the time of sending, of the messages that the broker has answered
	// for
	private final LongAccumulator answeredUpTo;

	// If two workers write it at once, one of them is forgotten: it is a rough figure
	private volatile Answer slowest;

	BrokerAnswers(LongSupplier clock) {
		this.clock = clock;
		this.answeredUpTo = new LongAccumulator((one, other) -> (other - one > 0) ? other : one, clock.getAsLong());
		this.slowest = new Answer(0, clock.getAsLong());
	}

	/**
	 * The broker has answered for a message.
	 * @param sentAt when it was sent, by {@link System#nanoTime}
	 * @param atMost what it counts for at most, in nanoseconds: a process that stood
	 * still has seen an answer late
	 */
	void answered(long sentAt, long atMost) {
		this.answeredUpTo.accumulate(sentAt);
		took(sentAt, atMost);
	}

	/**
	 * The broker has closed a channel on which nothing was sent later. So it is slow, but
	 * not silent.
	 * @param sentAt when the latest message was sent, by {@link System#nanoTime}
	 * @param atMost as for {@link #answered}
	 */
	void closed(long sentAt, long atMost) {
		took(sentAt, atMost);
	}

	private void took(long sentAt, long atMost) {
		long now = this.clock.getAsLong();
		long duration = Math.min(now - sentAt, atMost);
		if (duration >= this.slowest.countsFor(now)) {
			this.slowest = new Answer(duration, now);
		}
	}

	/**
	 * How long the broker has taken for the slowest of the last answers to any worker, in
	 * nanoseconds; less, the longer ago that was.
	 */
	long slowest() {
		return this.slowest.countsFor(this.clock.getAsLong());
	}

	/**
	 * Whether the broker has answered any worker for a message sent after that time.
	 */
	boolean hasAnsweredLater(long sentAt) {
		return this.answeredUpTo.get() - sentAt > 0;
	}

	/**
	 * A slow answer.
	 *
	 * @param duration how long it took, in nanoseconds
	 * @param at when it came
	 */
	private record Answer(long duration, long at) {

		long countsFor(long now) {
			long halvings = (now - this.at) / Math.max(HALF_LIFE, 2 * this.duration);
			return this.duration >> Math.min(Long.SIZE - 1, halvings);
		}

	}

}
