package io.orderedoutbox.relay.recovery;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.DelegatingClaim;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.FailedMessage.Fate;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.SendingJournal;
import io.orderedoutbox.store.StoredMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;

/**
 * A claim whose messages are in the journal. It may have fewer of them than the claim
 * behind it: a suspect is sent with few others.
 */
final class NotedClaim extends DelegatingClaim {

	private static final Logger logger = LoggerFactory.getLogger(NotedClaim.class);

	private static final String REASON = "the process that was sending this message alone ended before the broker had confirmed it";

	private final Suspects suspects;

	private final SendingJournal journal;

	private final List<KeySequence> sequences;

	private final Set<Long> settled = new HashSet<>();

	private boolean committed;

	private NotedClaim(Claim claim, Suspects suspects, SendingJournal journal) {
		super(claim);
		this.suspects = suspects;
		this.journal = journal;
		this.sequences = beginning(claim.sequences());
	}

	/**
	 * Note what can be sent of a claim. It is the caller's turn, which ends with the
	 * claim.
	 * @throws DataAccessException if it could not be noted: nothing has changed
	 */
	static NotedClaim of(Claim claim, Suspects suspects, SendingJournal journal) {
		NotedClaim noted = new NotedClaim(claim, suspects, journal);
		journal.note(positions(noted.sequences));
		return noted;
	}

	private List<KeySequence> beginning(List<KeySequence> all) {
		return KeySequence.first(all, countSentTogether(all))
			.stream()
			.map((sequence) -> new KeySequence(sequence.messages().stream().map(this::failingIfConvicted).toList()))
			.toList();
	}

	// Up to the first message that may not be sent together with so many others
	private int countSentTogether(List<KeySequence> all) {
		int limit = Integer.MAX_VALUE;
		int count = 0;
		for (StoredMessage message : all.stream().flatMap((sequence) -> sequence.messages().stream()).toList()) {
			limit = Math.min(limit, this.suspects.limit(message));
			if (count >= limit) {
				break;
			}
			count++;
		}
		return count;
	}

	private StoredMessage failingIfConvicted(StoredMessage message) {
		return this.suspects.isConvicted(message)
				? new StoredMessage(message.id(), message.message(), message.createdAt(), message.attempts(), REASON)
				: message;
	}

	private static Set<Long> positions(Collection<KeySequence> sequences) {
		Set<Long> positions = new HashSet<>();
		sequences.forEach((sequence) -> sequence.messages().forEach((message) -> positions.add(message.id())));
		return positions;
	}

	@Override
	public List<KeySequence> sequences() {
		return this.sequences;
	}

	@Override
	public boolean moreIsWaiting() {
		return !isWhole() || super.moreIsWaiting();
	}

	private boolean isWhole() {
		return KeySequence.count(this.sequences) == KeySequence.count(super.sequences());
	}

	@Override
	public void settle(Collection<Long> published, Collection<FailedMessage> failed) {
		super.settle(published, failed);
		settled(published, failed);
	}

	@Override
	public void settleLate(Collection<Long> published, Collection<FailedMessage> failed) {
		super.settleLate(published, failed);
		settled(published, failed);
	}

	private void settled(Collection<Long> published, Collection<FailedMessage> failed) {
		this.settled.addAll(published);
		failed.stream()
			.filter((message) -> message.fate() != Fate.POSTPONED)
			.forEach((message) -> this.settled.add(message.id()));
	}

	@Override
	public void commit() {
		super.commit();
		this.committed = true;
	}

	@Override
	public void suspend() {
		super.suspend();
		this.committed = true;
	}

	@Override
	public void close() {
		try {
			super.close();
		}
		finally {
			end();
		}
	}

	private void end() {
		try {
			if (this.committed) {
				for (long position : this.suspects.tried(this.settled)) {
					this.journal.forget(position);
				}
			}
			this.journal.clear();
		}
		catch (DataAccessException ex) {
			// At worst the next process sends smaller groups, or a message spends an
			// attempt twice
			logger.debug("The journal could not be cleared; the next note replaces what is in it", ex);
		}
		finally {
			if (this.committed && this.settled.size() == KeySequence.count(super.sequences())) {
				this.suspects.clearPartitions(partitions());
			}
			this.suspects.endTurn();
		}
	}

}
