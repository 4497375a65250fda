/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.oracle;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * What was committed, and in which order.
 */
final class Ledger {

	private final Map<UUID, Position> positions = new HashMap<>();

	private final Map<Long, Long> commitEnded = new HashMap<>();

	private Ledger() {
	}

	/**
	 * Read the ledger, and compare it with what the writers know to be committed.
	 */
	static Ledger read(Evidence evidence, Findings findings) {
		Ledger ledger = new Ledger();
		ledger.readPositions(evidence);
		ledger.compare(evidence, findings);
		return ledger;
	}

	private void readPositions(Evidence evidence) {
		Map<String, Integer> sizes = new HashMap<>();
		for (LedgerEntry entry : evidence.ledger()) {
			int size = sizes.merge(entry.key(), 1, Integer::sum);
			this.positions.put(entry.messageId(), new Position(entry, size - 1));
		}
	}

	private void compare(Evidence evidence, Findings findings) {
		Map<Long, Integer> messages = new HashMap<>();
		evidence.ledger().forEach((entry) -> messages.merge(entry.transaction(), 1, Integer::sum));
		for (Commit commit : evidence.commits()) {
			this.commitEnded.put(commit.transaction(), commit.ended());
			int entered = messages.getOrDefault(commit.transaction(), 0);
			if (entered != commit.messages()) {
				findings.add(Breach.LEDGER, "a transaction published %d messages, %d are in the ledger"
					.formatted(commit.messages(), entered));
			}
		}
	}

	@Nullable Position find(UUID messageId) {
		return this.positions.get(messageId);
	}

	void forEach(Consumer<Position> action) {
		this.positions.values().forEach(action);
	}

	int size() {
		return this.positions.size();
	}

	/**
	 * When commits had ended, by the number of the transaction, as far as the writers
	 * know it.
	 */
	Map<Long, Long> commitEnded() {
		return this.commitEnded;
	}

}
