/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.oracle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import io.orderedoutbox.chaos.fault.FaultRecord;
import io.orderedoutbox.chaos.fault.Part;

/**
 * Evidence that is made up: messages are committed one second after the other, and arrive
 * when told to.
 */
final class Story {

	static final String COUNTED = "counted";

	static final String UNCOUNTED = "uncounted";

	private static final int WORKERS = 2;

	private static final int LONGEST_RUN = 3;

	private final List<LedgerEntry> ledger = new ArrayList<>();

	private final List<Commit> commits = new ArrayList<>();

	private final List<Arrival> arrivals = new ArrayList<>();

	private final List<Remark> attempts = new ArrayList<>();

	private final List<Remark> refusals = new ArrayList<>();

	private final List<FaultRecord> faults = new ArrayList<>();

	private boolean ordered = true;

	private long now = seconds(1000);

	private int countedVersions;

	static long seconds(long seconds) {
		return Duration.ofSeconds(seconds).toNanos();
	}

	/**
	 * Nothing that was told so far has anything to do with what follows.
	 */
	Story aMinuteLater() {
		this.now += seconds(60);
		return this;
	}

	Story unordered() {
		this.ordered = false;
		return this;
	}

	/**
	 * Commit a message of a key, in a transaction of its own.
	 */
	Told commit(String key) {
		this.now += seconds(1);
		LedgerEntry entry = new LedgerEntry(this.ledger.size() + 1, UUID.randomUUID(), key, this.now, this.now);
		this.ledger.add(entry);
		this.commits.add(new Commit(entry.transaction(), this.now + 1, 1));
		return new Told(entry, key.equals(COUNTED) ? ++this.countedVersions : 0);
	}

	/**
	 * Commit messages of a key, which arrive as they should.
	 */
	List<Told> commitAndDeliver(String key, int count) {
		List<Told> messages = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			Told message = commit(key);
			deliver(message);
			messages.add(message);
		}
		return messages;
	}

	/**
	 * Forget that the writer knows of the commit: it was killed.
	 */
	Story forgetCommit(Told message) {
		this.commits.removeIf((commit) -> commit.transaction() == message.entry().transaction());
		return this;
	}

	/**
	 * Let a message disappear from the ledger.
	 */
	Story unenter(Told message) {
		this.ledger.remove(message.entry());
		return this;
	}

	/**
	 * Let the ledger have two messages the other way round than they were committed.
	 */
	Story exchangePositions(Told first, Told second) {
		this.ledger.clear();
		this.ledger.add(at(1, second));
		this.ledger.add(at(2, first));
		return this;
	}

	private static LedgerEntry at(long id, Told message) {
		LedgerEntry entry = message.entry();
		return new LedgerEntry(id, entry.messageId(), entry.key(), entry.transaction(), entry.commitBegan());
	}

	Story deliver(Told... messages) {
		for (Told message : messages) {
			arrive(message, message.entry().key(), 1, 1, false);
		}
		return this;
	}

	Story deliverOtherwise(Told message) {
		arrive(message, message.entry().key(), 2, 1, false);
		return this;
	}

	Story deliverWithKey(Told message, String key) {
		arrive(message, key, 1, 1, false);
		return this;
	}

	Story redeliver(Told message) {
		arrive(message, message.entry().key(), 1, 2, true);
		return this;
	}

	private void arrive(Told message, String key, int digest, int session, boolean redelivered) {
		this.now += seconds(1);
		this.arrivals.add(new Arrival(message.entry().messageId(), key, message.version(), digest, this.now, session,
				redelivered));
	}

	/**
	 * Something breaks and is healed at once.
	 */
	Story breakSomething(int frozenRelays) {
		return breakParts(frozenRelays, Part.values());
	}

	Story breakParts(int frozenRelays, Part... parts) {
		this.faults.add(new FaultRecord("something", Set.of(parts), this.now, this.now + 1, frozenRelays));
		return this;
	}

	Story countAttempt(String reason) {
		this.attempts.add(new Remark(this.now, reason));
		return this;
	}

	Story refuse(String reason) {
		this.refusals.add(new Remark(this.now, reason));
		return this;
	}

	Verdict judge() {
		return new Oracle(
				new Evidence(this.ledger, this.commits, this.arrivals, this.attempts, this.refusals, this.faults),
				new Rules(this.ordered, LONGEST_RUN, WORKERS), new Findings())
			.judge();
	}

	/**
	 * A message that was told of.
	 *
	 * @param entry what the ledger says
	 * @param version of its key
	 */
	record Told(LedgerEntry entry, int version) {

	}

}
