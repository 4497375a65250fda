/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.recovery;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.orderedoutbox.relay.recovery.Suspects.Selection;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.DelegatingClaim;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.FailedMessage.Fate;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.StoredMessage;

/**
 * A claim of which something is in the journal. It may have fewer messages than the claim
 * behind it: suspects that have to wait for their turn, and what follows them in their
 * keys, stay for another claim.
 */
final class NotedClaim extends DelegatingClaim {

	private final SendingNote note;

	private final Set<Long> settled = new HashSet<>();

	private final Set<Long> postponed = new HashSet<>();

	private Selection selection;

	NotedClaim(Claim claim, SendingNote note) {
		super(claim);
		this.note = note;
		this.selection = new Selection(claim.sequences(), Set.of());
	}

	/** Take what is to be sent. */
	void prepare(Selection selection) {
		this.selection = selection;
	}

	/** The positions of the suspects that are tested with this claim. */
	Set<Long> suspects() {
		return this.selection.suspects();
	}

	boolean isTest() {
		return !suspects().isEmpty();
	}

	@Override
	public List<KeySequence> sequences() {
		return this.selection.sequences();
	}

	@Override
	public boolean moreIsWaiting() {
		return KeySequence.count(sequences()) < KeySequence.count(super.sequences()) || super.moreIsWaiting();
	}

	@Override
	public void settle(Collection<Long> published, Collection<FailedMessage> failed) {
		super.settle(published, failed);
		this.settled.addAll(published);
		failed.forEach(
				(message) -> ((message.fate() == Fate.POSTPONED) ? this.postponed : this.settled).add(message.id()));
	}

	/**
	 * What is rehearsed has not left, and has not failed.
	 */
	@Override
	public boolean rehearse(Runnable settlement) {
		Set<Long> settledBefore = Set.copyOf(this.settled);
		Set<Long> postponedBefore = Set.copyOf(this.postponed);
		try {
			return super.rehearse(settlement);
		}
		finally {
			this.settled.retainAll(settledBefore);
			this.postponed.retainAll(postponedBefore);
		}
	}

	@Override
	public void settleLate(Collection<Long> published, Collection<FailedMessage> failed) {
		super.settleLate(published, failed);
		this.note.suspects().haveSurvived(published);
		this.note.suspects()
			.haveSurvived(failed.stream()
				.filter((message) -> message.fate() != Fate.POSTPONED)
				.map(FailedMessage::id)
				.toList());
	}

	@Override
	public void commit() {
		super.commit();
		this.note.suspects().haveSurvived(this.settled);
		this.note.clearPartitions(this);
	}

	/**
	 * The broker has been silent for a while, and the process lives: what was tested did
	 * not end it, whatever the broker will answer.
	 */
	@Override
	public void suspend() {
		super.suspend();
		this.note.suspects().haveSurvived(this.settled);
		this.note.suspects().haveSurvived(unanswered());
		this.note.clearPartitions(this);
		this.note.end(this);
	}

	// The first of each key: what comes behind it has not left
	private List<Long> unanswered() {
		return sequences().stream()
			.flatMap((sequence) -> sequence.messages()
				.stream()
				.map(StoredMessage::id)
				.filter((position) -> !this.settled.contains(position))
				.limit(1))
			.filter((position) -> suspects().contains(position) && !this.postponed.contains(position))
			.toList();
	}

	@Override
	public void close() {
		try {
			super.close();
		}
		finally {
			this.note.end(this);
		}
	}

}
