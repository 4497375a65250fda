/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.orderedoutbox.send.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The messages in flight of one worker, in the order of sending.
 */
final class InFlightMessages {

	private static final Duration A_MOMENT = Duration.ofMillis(5);

	private final Map<Long, InFlight> messages = new LinkedHashMap<>();

	private final ConfirmDeadline deadline;

	InFlightMessages(ConfirmDeadline deadline) {
		this.deadline = deadline;
	}

	void add(InFlight message) {
		this.messages.put(message.message().id(), message);
	}

	/**
	 * A message was not sent after all.
	 */
	void remove(InFlight message) {
		this.messages.remove(message.message().id());
	}

	/**
	 * There is an outcome.
	 * @return its message, or null if that is not in flight
	 */
	@Nullable InFlight settled(Outcome outcome) {
		InFlight answered = this.messages.remove(outcome.id());
		if (answered != null && outcome.isOfBroker()) {
			this.deadline.answered(answered);
		}
		return answered;
	}

	boolean isEmpty() {
		return this.messages.isEmpty();
	}

	int size() {
		return this.messages.size();
	}

	/**
	 * Their outcomes will not be known.
	 */
	List<InFlight> removeAll() {
		List<InFlight> removed = List.copyOf(this.messages.values());
		this.messages.clear();
		return removed;
	}

	/**
	 * How long to wait for an outcome. There is a message in flight.
	 * @param leaseIsDue whether the store has to be asked as soon as everything has left
	 * that was handed to the channel. A wait without an outcome has seen to that, so that
	 * one silent message holds the others for a moment only
	 */
	Duration patience(boolean leaseIsDue) {
		Duration patience = this.deadline.beforeNextRenewal(oldest());
		return (leaseIsDue && patience.compareTo(A_MOMENT) > 0) ? A_MOMENT : patience;
	}

	/**
	 * Whether the oldest of them has taken too long. There is a message in flight.
	 */
	boolean isOverdue() {
		return this.deadline.isOver(oldest());
	}

	/**
	 * Whether the broker has not answered any worker for a while. There is a message in
	 * flight.
	 */
	boolean isBrokerSilent() {
		return this.deadline.isSilence(oldest());
	}

	private InFlight oldest() {
		return this.messages.values().iterator().next();
	}

	/**
	 * Those that the broker is silent about although it has answered for others that were
	 * sent after them.
	 */
	List<InFlight> passedOver() {
		return this.messages.values().stream().filter(this.deadline::isPassedOver).toList();
	}

}
