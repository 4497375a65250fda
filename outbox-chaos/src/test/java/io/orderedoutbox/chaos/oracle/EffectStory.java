/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.oracle;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import io.orderedoutbox.chaos.fault.FaultRecord;
import io.orderedoutbox.chaos.fault.Part;

/**
 * Evidence that is made up: messages are committed one second after the other, and have
 * effects when told to.
 */
final class EffectStory {

	static final String KEY = "key";

	private final List<LedgerEntry> ledger = new ArrayList<>();

	private final List<Effect> effects = new ArrayList<>();

	private final List<Remark> outcomes = new ArrayList<>();

	private final List<FaultRecord> faults = new ArrayList<>();

	private final Map<String, Long> numbers = new HashMap<>();

	private long now = Story.seconds(1000);

	EffectStory aMinuteLater() {
		this.now += Story.seconds(60);
		return this;
	}

	/**
	 * Commit a message of a key, in a transaction of its own.
	 */
	LedgerEntry commit(String key) {
		this.now += Story.seconds(1);
		LedgerEntry entry = new LedgerEntry(this.ledger.size() + 1, UUID.randomUUID(), key, this.now, this.now);
		this.ledger.add(entry);
		return entry;
	}

	/**
	 * Let a message disappear from the ledger.
	 */
	EffectStory unenter(LedgerEntry entry) {
		this.ledger.remove(entry);
		return this;
	}

	/**
	 * Process messages one after the other.
	 */
	EffectStory process(LedgerEntry... entries) {
		for (LedgerEntry entry : entries) {
			long seen = this.numbers.getOrDefault(entry.key(), 0L);
			processHaving(seen, entry);
		}
		return this;
	}

	/**
	 * Process a message in a transaction that has begun when there were so many effects.
	 */
	EffectStory processHaving(long seen, LedgerEntry entry) {
		this.now += Story.seconds(1);
		long number = entry.key().isEmpty() ? 0 : this.numbers.merge(entry.key(), 1L, Long::sum);
		this.effects.add(new Effect("consumer-1-1", entry.messageId(), entry.key(), 0, number, seen, false, this.now));
		return this;
	}

	EffectStory processAs(String key, LedgerEntry entry) {
		return process(new LedgerEntry(entry.id(), entry.messageId(), key, entry.transaction(), entry.commitBegan()));
	}

	EffectStory breakParts(Part... parts) {
		this.faults.add(new FaultRecord("something", Set.of(parts), this.now, this.now + 1, 0));
		return this;
	}

	EffectStory deliverInVain(String outcome) {
		this.outcomes.add(new Remark(this.now, outcome));
		return this;
	}

	EffectFigures judge(Findings findings) {
		// They are in no order in the table
		List<Effect> unordered = new ArrayList<>(this.effects);
		Collections.reverse(unordered);
		Evidence published = new Evidence(this.ledger, List.of(), List.of(), List.of(), List.of(), this.faults);
		return new EffectOracle(new EffectEvidence(published, unordered, this.outcomes), findings).judge();
	}

}
