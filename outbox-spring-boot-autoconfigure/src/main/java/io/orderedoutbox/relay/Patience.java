package io.orderedoutbox.relay;

import java.time.Duration;

/**
 * How long messages in flight are waited for, and which of them have waited in vain.
 */
final class Patience {

	private final WorkerSettings settings;

	private final Suspects suspects;

	// When the latest of the messages that the broker has answered for was sent
	private long answeredUpTo;

	private boolean answered;

	Patience(WorkerSettings settings, Suspects suspects) {
		this.settings = settings;
		this.suspects = suspects;
	}

	/**
	 * The broker has answered for a message.
	 */
	void answered(Flight flight) {
		this.suspects.answered(flight.sentAt());
		if (!this.answered || flight.sentAt() - this.answeredUpTo > 0) {
			this.answered = true;
			this.answeredUpTo = flight.sentAt();
		}
	}

	/**
	 * How much longer the oldest message in flight may take; a claim must be renewed on
	 * the way.
	 */
	Duration beforeNextRenewal(Flight oldest) {
		Duration left = left(oldest);
		if (left.isNegative()) {
			return Duration.ZERO;
		}
		return (left.compareTo(this.settings.renewInterval()) < 0) ? left : this.settings.renewInterval();
	}

	/**
	 * Whether it has taken too long.
	 */
	boolean isOver(Flight oldest) {
		return left(oldest).isNegative();
	}

	private Duration left(Flight flight) {
		return this.settings.confirmTimeout().minusNanos(System.nanoTime() - flight.sentAt());
	}

	/**
	 * Whether a message is silent although one that was sent after it was answered, by
	 * this worker or another. The channels of others are answered in their own time: one
	 * just lost may have been a little faster than ours.
	 */
	boolean isPassedOver(Flight flight) {
		long timeout = this.settings.confirmTimeout().toNanos();
		if (System.nanoTime() - flight.sentAt() < timeout) {
			return false;
		}
		return (this.answered && flight.sentAt() - this.answeredUpTo < 0)
				|| this.suspects.hasAnsweredLater(flight.sentAt() + timeout / 2);
	}

}
