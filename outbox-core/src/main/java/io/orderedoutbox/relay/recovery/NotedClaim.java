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
		Set<Long> survived = new HashSet<>(suspects());
		survived.removeAll(this.postponed);
		survived.addAll(this.settled);
		this.note.suspects().haveSurvived(survived);
		this.note.clearPartitions(this);
		this.note.end(this);
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
