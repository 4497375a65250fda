/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.recovery;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.orderedoutbox.store.Defect;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.SendingJournal;
import io.orderedoutbox.store.StoredMessage;

/**
 * The messages that may have ended a process, as far as the workers of an instance know.
 */
final class Suspects {

	private static final String REASON = "the process that was sending this message alone ended before the broker had confirmed it";

	// Of a list of 2,000 a message is the only one after three further processes
	private static final int PARTS = 16;

	// Instead of a number of messages: the message has spent its attempt, and is tested
	// alone
	private static final int COUNTED = 0;

	private final SendingJournal journal;

	// By position: how many messages were on the shortest list that it was on
	private final Map<Long, Integer> listed = new ConcurrentHashMap<>();

	// Those that fail without being sent. The journal knows that, the store not yet
	private final Set<Long> convicted = ConcurrentHashMap.newKeySet();

	Suspects(SendingJournal journal) {
		this.journal = journal;
	}

	/**
	 * Read the journal.
	 * @return whether an instance has ended without a farewell
	 */
	boolean read() {
		List<Set<Long>> left = this.journal.left();
		left.forEach((list) -> list.forEach((position) -> this.listed.merge(position, list.size(), Math::min)));
		return !left.isEmpty();
	}

	boolean isAnyOf(Collection<KeySequence> sequences) {
		return !this.listed.isEmpty() && sequences.stream()
			.flatMap((sequence) -> sequence.messages().stream())
			.anyMatch((message) -> this.listed.containsKey(message.id()));
	}

	/**
	 * Select what of a claim is sent: of each sequence what comes before the first
	 * suspect that has to wait.
	 * @param mayTest whether a group of suspects may be tested
	 */
	Selection select(Collection<KeySequence> sequences, boolean mayTest) {
		Set<Long> tested = new HashSet<>();
		List<KeySequence> sendable = new ArrayList<>();
		int limit = mayTest ? Integer.MAX_VALUE : 0;
		for (KeySequence sequence : sequences) {
			List<StoredMessage> beginning = new ArrayList<>();
			for (StoredMessage message : sequence.messages()) {
				boolean fails = isConvicted(message.id());
				Integer size = fails ? null : this.listed.get(message.id());
				if (size != null) {
					limit = Math.min(limit, Math.max(1, size / PARTS));
					if (tested.size() >= limit) {
						break;
					}
					tested.add(message.id());
				}
				beginning.add(fails ? failing(message) : message);
			}
			if (!beginning.isEmpty()) {
				sendable.add(new KeySequence(beginning));
			}
		}
		return new Selection(sendable, tested);
	}

	// Of several instances that have read the list, the first one to forget it spends the
	// attempt
	private boolean isConvicted(long position) {
		if (this.convicted.contains(position)) {
			return true;
		}
		if (!Integer.valueOf(1).equals(this.listed.get(position))) {
			return false;
		}
		if (this.journal.forget(position)) {
			this.convicted.add(position);
			return true;
		}
		this.listed.put(position, COUNTED);
		return false;
	}

	private static StoredMessage failing(StoredMessage message) {
		return new StoredMessage(message.id(), message.message(), message.createdAt(), message.attempts(),
				Defect.lasting(REASON));
	}

	/**
	 * Messages have left this process or have failed in it, and it goes on: they are no
	 * suspects any more. One that has just spent its attempt is tested alone when it is
	 * due again.
	 */
	void haveSurvived(Collection<Long> positions) {
		for (long position : positions) {
			if (this.convicted.remove(position)) {
				this.listed.put(position, COUNTED);
			}
			else {
				this.listed.remove(position);
			}
		}
	}

	/**
	 * What of a claim is sent.
	 *
	 * @param sequences all of it
	 * @param suspects the positions of those that are tested
	 */
	record Selection(List<KeySequence> sequences, Set<Long> suspects) {

	}

}
