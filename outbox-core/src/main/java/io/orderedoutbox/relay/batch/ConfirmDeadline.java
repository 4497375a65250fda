/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long a worker waits for the confirms of messages in flight, and which of the
 * messages the broker has passed over.
 */
final class ConfirmDeadline {

	// A batch that is about to end waits so many of its times for what is in flight
	private static final int SILENCE = 4;

	// The part of the timeout, at most, by which a worker waits longer for the oldest
	// message, so that those sent after it are overdue, too
	private static final int TOGETHER = 10;

	private final WorkerSettings settings;

	private final BrokerAnswers answers;

	private final LongSupplier clock;

	// When the latest of the messages that the broker has answered for was sent
	private long answeredUpTo;

	private boolean answered;

	ConfirmDeadline(WorkerSettings settings, BrokerAnswers answers, LongSupplier clock) {
		this.settings = settings;
		this.answers = answers;
		this.clock = clock;
	}

	/**
	 * The broker has answered for a message.
	 */
	void answered(InFlight message) {
		this.answers.answered(message.sentAt(), this.settings.confirmTimeout().toNanos());
		if (!this.answered || message.sentAt() - this.answeredUpTo > 0) {
			this.answered = true;
			this.answeredUpTo = message.sentAt();
		}
	}

	/**
	 * How much longer the oldest message in flight may take; a claim must be renewed on
	 * the way.
	 */
	Duration beforeNextRenewal(InFlight oldest) {
		Duration left = left(oldest);
		if (left.isNegative()) {
			return Duration.ZERO;
		}
		return (left.compareTo(this.settings.renewInterval()) < 0) ? left : this.settings.renewInterval();
	}

	/**
	 * Whether it has taken too long.
	 */
	boolean isOver(InFlight oldest) {
		return left(oldest).toNanos() <= 0;
	}

	// Messages of a batch that are silent together are found together, although each of
	// them was sent a little later than the one before
	private Duration left(InFlight message) {
		Duration timeout = this.settings.confirmTimeout();
		Duration share = timeout.dividedBy(TOGETHER);
		Duration batch = this.settings.batchTime();
		return timeout.plus((batch.compareTo(share) < 0) ? batch : share).minusNanos(age(message));
	}

	private long age(InFlight message) {
		return this.clock.getAsLong() - message.sentAt();
	}

	/**
	 * Whether a message is silent although the broker has answered this worker, or
	 * another, for one that was sent after it. The channels of others are answered in
	 * their own time: one just lost may have been a little faster than ours.
	 */
	boolean isPassedOver(InFlight message) {
		long timeout = this.settings.confirmTimeout().toNanos();
		return age(message) >= timeout && isAnsweredLater(message.sentAt(), message.sentAt() + timeout / 2);
	}

	/**
	 * Whether the broker is silent about the oldest message in flight for several batch
	 * times, and about all that any worker has sent after it. A broker that is slow is
	 * not silent before twice the time of its last answers: if such batches were
	 * suspended, another instance would claim them, send them again, and be too late in
	 * turn.
	 */
	boolean isSilence(InFlight oldest) {
		long patience = Math.max(SILENCE * this.settings.batchTime().toNanos(), 2 * this.answers.slowest());
		return age(oldest) >= patience && !isAnsweredLater(oldest.sentAt(), oldest.sentAt());
	}

	private boolean isAnsweredLater(long here, long elsewhere) {
		return (this.answered && here - this.answeredUpTo < 0) || this.answers.hasAnsweredLater(elsewhere);
	}

}
