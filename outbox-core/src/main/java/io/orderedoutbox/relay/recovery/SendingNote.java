/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.recovery;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

import io.orderedoutbox.relay.recovery.Suspects.Selection;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.SendingJournal;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;

/**
 * What the journal says of this instance: the group of suspects that is tested, or else
 * the first claims of partitions.
 */
final class SendingNote {

	private static final Logger logger = LoggerFactory.getLogger(SendingNote.class);

	private static final long MILLIS_TO_WAIT_FOR_TURN = 250;

	private final SendingJournal journal;

	private final Suspects suspects;

	private final Set<Integer> clearedPartitions = ConcurrentHashMap.newKeySet();

	// It is held while the journal is written, so that what is written last is true
	private final ReentrantLock lock = new ReentrantLock();

	private final Condition testHasEnded = this.lock.newCondition();

	private @Nullable NotedClaim tested;

	private final Map<NotedClaim, Set<Long>> firstClaims = new LinkedHashMap<>();

	// Null before the journal was read
	private volatile @Nullable Boolean needed;

	SendingNote(SendingJournal journal) {
		this.journal = journal;
		this.suspects = new Suspects(journal);
	}

	Suspects suspects() {
		return this.suspects;
	}

	/**
	 * Whether an instance has ended without a farewell. The first call reads the journal.
	 */
	boolean isNeeded() {
		Boolean known = this.needed;
		return (known != null) ? known : read();
	}

	private synchronized boolean read() {
		Boolean known = this.needed;
		if (known == null) {
			known = this.suspects.read();
			this.needed = known;
		}
		return known;
	}

	/**
	 * Decide what of a claim is sent, and note what of that has to be noted.
	 * @return whether anything is different from an ordinary claim
	 * @throws DataAccessException if the journal could not be written
	 */
	boolean prepare(NotedClaim claim) {
		boolean hasSuspects = this.suspects.isAnyOf(claim.sequences());
		boolean isFirst = !this.clearedPartitions.containsAll(claim.partitions());
		if (!hasSuspects && !isFirst) {
			return false;
		}
		this.lock.lock();
		try {
			if (!isNeeded()) {
				return false;
			}
			boolean mayTest = this.tested == null;
			Selection selection = hasSuspects ? this.suspects.select(claim.sequences(), mayTest)
					: new Selection(claim.sequences(), Set.of());
			claim.prepare(selection);
			if (claim.isTest()) {
				this.tested = claim;
				this.journal.note(current());
			}
			else if (isFirst) {
				this.firstClaims.put(claim, positions(selection.sequences()));
				noteUnlessTesting();
			}
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void noteUnlessTesting() {
		if (this.tested == null) {
			this.journal.note(current());
		}
	}

	private Set<Long> current() {
		return (this.tested != null) ? this.tested.suspects()
				: this.firstClaims.values().stream().flatMap(Set::stream).collect(Collectors.toSet());
	}

	// Of what is sent, and not of what fails without that
	private static Set<Long> positions(Collection<KeySequence> sequences) {
		return sequences.stream()
			.flatMap((sequence) -> sequence.messages().stream())
			.filter((message) -> message.defect() == null)
			.map(StoredMessage::id)
			.collect(Collectors.toSet());
	}

	/** A claim of some partitions has ended as it should. */
	void clearPartitions(NotedClaim claim) {
		if (!claim.isTest()) {
			this.clearedPartitions.addAll(claim.partitions());
		}
	}

	/** Nothing of a claim is being sent any more. Does nothing if that is known. */
	void end(NotedClaim claim) {
		this.lock.lock();
		try {
			if (claim.equals(this.tested)) {
				this.tested = null;
				this.testHasEnded.signalAll();
				this.journal.note(current());
			}
			else if (this.firstClaims.remove(claim) != null) {
				noteUnlessTesting();
			}
		}
		catch (DataAccessException ex) {
			// The journal does it when it can; until then the next process may take these
			// messages for suspects
			logger.debug("The journal could not be cleared", ex);
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Wait until no suspects are tested, but not for long. */
	void awaitTurn() {
		this.lock.lock();
		try {
			long nanos = TimeUnit.MILLISECONDS.toNanos(MILLIS_TO_WAIT_FOR_TURN);
			while (this.tested != null && nanos > 0) {
				nanos = this.testHasEnded.awaitNanos(nanos);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** This process notes nothing any more, and no message is suspect. */
	void giveUp(DataAccessException ex) {
		this.lock.lock();
		try {
			this.needed = false;
			this.tested = null;
			this.firstClaims.clear();
			this.testHasEnded.signalAll();
		}
		finally {
			this.lock.unlock();
		}
		String error = ex.toString();
		logger.atWarn()
			.addKeyValue("error", error)
			.log("A process that used this outbox was killed. If a message is the reason, this instance cannot find it, because it cannot note what it sends: {}. "
					+ "The relay needs one connection more than it has workers", error);
	}

}
