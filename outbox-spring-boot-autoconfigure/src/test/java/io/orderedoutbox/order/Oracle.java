/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.order;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.orderedoutbox.testing.TestQueue.Arrival;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Compares what arrived with what was committed, and in which order. Three witnesses know
 * the order: the counters of the keys that have one, the clock where one commit ended
 * before another began, and the positions in the ledger. The first two owe the outbox
 * nothing.
 */
final class Oracle {

	static final String OVERTAKING = " arrived after ";

	private static final int ENOUGH = 20;

	private final List<String> violations = new ArrayList<>();

	private final Map<String, Arrival> firstArrivals = new LinkedHashMap<>();

	private final Map<String, Entry> ledger = new LinkedHashMap<>();

	private final Map<String, Long> commitEnded = new HashMap<>();

	private final Writers writers;

	Oracle(Writers writers, Collection<Arrival> arrivals, JdbcClient jdbc) {
		this.writers = writers;
		arrivals.forEach((arrival) -> this.firstArrivals.putIfAbsent(arrival.messageId(), arrival));
		jdbc.sql("SELECT id, message_id, partition_key FROM fuzz_ledger ORDER BY id").query((row) -> {
			this.ledger.put(row.getString("message_id"), new Entry(row.getLong("id"), row.getString("partition_key")));
		});
	}

	List<String> violations() {
		this.writers.failures().forEach((failure) -> report("A writer failed: " + failure));
		ledgerIsWhatWasCommitted();
		nothingIsMissing();
		nothingWasRolledBack();
		nothingArrivesBeforeItsTime();
		Map<String, List<String>> byKey = new LinkedHashMap<>();
		this.firstArrivals.keySet().stream().filter(this.ledger::containsKey).forEach((id) -> {
			String key = this.ledger.get(id).partitionKey();
			if (!key.isEmpty()) {
				byKey.computeIfAbsent(key, (any) -> new ArrayList<>()).add(id);
			}
		});
		byKey.forEach((key, messageIds) -> {
			countersAscend(key, messageIds);
			clockIsObeyed(key, messageIds);
			positionsAscend(key, messageIds);
		});
		return this.violations;
	}

	private void ledgerIsWhatWasCommitted() {
		Set<String> committed = new LinkedHashSet<>();
		for (Commit commit : this.writers.commits()) {
			committed.addAll(commit.messageIds());
			commit.messageIds().forEach((id) -> this.commitEnded.put(id, commit.ended()));
			long last = 0;
			for (String messageId : commit.messageIds()) {
				Entry entry = this.ledger.get(messageId);
				if (entry == null || entry.id() < last) {
					report("A transaction published %s, but the ledger has %s after position %d"
						.formatted(commit.messageIds(), entry, last));
					break;
				}
				last = entry.id();
			}
		}
		if (!committed.equals(this.ledger.keySet())) {
			report("%d messages were committed, but %d are in the ledger".formatted(committed.size(),
					this.ledger.size()));
		}
	}

	private void nothingIsMissing() {
		this.ledger.forEach((messageId, entry) -> {
			if (!this.firstArrivals.containsKey(messageId)) {
				report("Missing: %s %s".formatted(messageId, entry));
			}
		});
	}

	private void nothingWasRolledBack() {
		Set<String> rolledBack = new HashSet<>(this.writers.rolledBack());
		this.firstArrivals.keySet().forEach((messageId) -> {
			if (!this.ledger.containsKey(messageId)) {
				report("Not committed, but arrived: %s (rolled back: %s)".formatted(messageId,
						rolledBack.contains(messageId)));
			}
		});
	}

	private void nothingArrivesBeforeItsTime() {
		this.firstArrivals.forEach((messageId, arrival) -> {
			long early = this.writers.notBefore(messageId) - arrival.arrivedAt();
			if (early > 0) {
				report("%s arrived %d us before its time".formatted(messageId, early / 1_000));
			}
		});
	}

	private void countersAscend(String key, List<String> messageIds) {
		long expected = 1;
		for (String messageId : messageIds) {
			long version = version(this.firstArrivals.get(messageId));
			if (version == 0) {
				return;
			}
			if (version != expected) {
				report("Key '%s': version %d arrived when %d was next".formatted(key, version, expected));
			}
			expected = version + 1;
		}
	}

	private void clockIsObeyed(String key, List<String> messageIds) {
		String latest = messageIds.get(0);
		for (String messageId : messageIds) {
			Long ended = this.commitEnded.get(messageId);
			if (ended != null && ended < this.writers.commitBegan(latest)) {
				report("Key '%s': position %d arrived after %d, but its commit had ended before that one began"
					.formatted(key, this.ledger.get(messageId).id(), this.ledger.get(latest).id()));
			}
			if (this.writers.commitBegan(messageId) > this.writers.commitBegan(latest)) {
				latest = messageId;
			}
		}
	}

	private void positionsAscend(String key, List<String> messageIds) {
		long last = 0;
		for (String messageId : messageIds) {
			long id = this.ledger.get(messageId).id();
			if (id < last) {
				report("Key '%s': position %d arrived after %d".formatted(key, id, last));
			}
			last = Math.max(last, id);
		}
	}

	private void report(String violation) {
		if (this.violations.size() < ENOUGH) {
			this.violations.add(violation);
		}
	}

	private static long version(Arrival arrival) {
		JsonNode body = JsonMapper.shared().readTree(arrival.body());
		return body.get("version").asLong();
	}

	/**
	 * What the ledger says of a message.
	 */
	private record Entry(long id, String partitionKey) {

	}

}
