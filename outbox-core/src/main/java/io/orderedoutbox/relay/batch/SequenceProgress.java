/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.orderedoutbox.Destination;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.StoredMessage;

/**
 * Which message of a sequence is the next to be sent.
 */
final class SequenceProgress {

	private static final int NONE = -1;

	private final KeySequence sequence;

	private int next;

	private boolean pipelined;

	private int lastInDoubt = NONE;

	private boolean ended;

	// How many tests of the next message have ended without an answer
	private int timesSetAside;

	SequenceProgress(KeySequence sequence, boolean pipelined) {
		this.sequence = sequence;
		this.pipelined = pipelined;
	}

	/**
	 * The next message to be sent.
	 */
	StoredMessage message() {
		return this.sequence.messages().get(this.next);
	}

	/**
	 * The next message is sent.
	 * @param sentAt when, by {@link System#nanoTime}
	 */
	InFlight sent(long sentAt) {
		return new InFlight(this, this.next, message(), sentAt);
	}

	/**
	 * Whether the next message may leave before the last one is confirmed.
	 */
	boolean isPipelined() {
		return this.pipelined;
	}

	/**
	 * From now on one message at a time.
	 */
	void goStepByStep() {
		this.pipelined = false;
	}

	/**
	 * Nothing more of this sequence is to leave.
	 */
	void end() {
		this.ended = true;
	}

	boolean isEnded() {
		return this.ended;
	}

	/**
	 * Go back to the first of some messages whose outcome will not be known, and from
	 * there on one message at a time.
	 * @param messages messages of this sequence, in the order of sending
	 */
	void returnTo(List<InFlight> messages) {
		this.next = messages.get(0).index();
		this.lastInDoubt = messages.get(messages.size() - 1).index();
		goStepByStep();
	}

	/**
	 * Whether the next message has been sent before, and may be the culprit.
	 */
	boolean isInDoubt() {
		return this.next <= this.lastInDoubt;
	}

	/**
	 * The next message was sent alone, and not answered soon.
	 */
	void setAside() {
		this.timesSetAside++;
	}

	/**
	 * How often the next message was sent alone, and not answered soon.
	 */
	int timesSetAside() {
		return this.timesSetAside;
	}

	/**
	 * Another message is the culprit.
	 */
	void doubtNoMore() {
		this.lastInDoubt = NONE;
	}

	/**
	 * Go on to the next message.
	 * @return {@code false} if there is none
	 */
	boolean advance() {
		this.next++;
		this.timesSetAside = 0;
		return this.next < this.sequence.messages().size();
	}

	/**
	 * The same sequences, but before the second of any destination the first of every
	 * other: a destination to blame is found after few messages. Those that were set
	 * aside come last, the more often the later.
	 */
	static List<SequenceProgress> inOrderOfTests(Collection<SequenceProgress> all) {
		List<SequenceProgress> first = new ArrayList<>();
		List<SequenceProgress> further = new ArrayList<>();
		Set<Destination> seen = new HashSet<>();
		for (SequenceProgress progress : all) {
			boolean isFirst = progress.timesSetAside() == 0 && seen.add(progress.message().message().destination());
			(isFirst ? first : further).add(progress);
		}
		further.sort(Comparator.comparingInt(SequenceProgress::timesSetAside));
		first.addAll(further);
		return first;
	}

}
