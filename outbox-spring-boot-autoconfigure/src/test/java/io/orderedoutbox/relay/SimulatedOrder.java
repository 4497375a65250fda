/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

import io.orderedoutbox.store.Message;

/**
 * What was committed, and what has arrived at the broker: of a key the first arrivals
 * must be in the order of the commits. A message that has become a dead letter need not
 * arrive.
 */
final class SimulatedOrder {

	private final Map<String, List<UUID>> committed = new LinkedHashMap<>();

	private final Set<UUID> all = new HashSet<>();

	private final Set<UUID> arrived = new HashSet<>();

	private final Supplier<List<UUID>> deadLetters;

	private int repeated;

	SimulatedOrder(Supplier<List<UUID>> deadLetters) {
		this.deadLetters = deadLetters;
	}

	void committed(List<Message> messages) {
		for (Message message : messages) {
			this.all.add(message.messageId());
			if (!message.partitionKey().isEmpty()) {
				this.committed.computeIfAbsent(message.partitionKey(), (key) -> new ArrayList<>())
					.add(message.messageId());
			}
		}
	}

	void arrived(Message message) {
		UUID id = message.messageId();
		if (!this.all.contains(id)) {
			throw new AssertionError("A message has arrived that was not committed: " + brief(id));
		}
		if (!this.arrived.add(id)) {
			this.repeated++;
			return;
		}
		List<UUID> ofKey = this.committed.getOrDefault(message.partitionKey(), List.of(id));
		List<UUID> missing = new ArrayList<>(ofKey.subList(0, ofKey.indexOf(id)));
		missing.removeAll(this.arrived);
		if (!missing.isEmpty()) {
			missing.removeAll(this.deadLetters.get());
		}
		if (!missing.isEmpty()) {
			throw new AssertionError("Of key %s %s has arrived before %s".formatted(message.partitionKey(), brief(id),
					missing.stream().map(SimulatedOrder::brief).toList()));
		}
	}

	/**
	 * What was committed, and has neither arrived nor become a dead letter.
	 */
	Set<UUID> missing() {
		Set<UUID> missing = new HashSet<>(this.all);
		missing.removeAll(this.arrived);
		missing.removeAll(this.deadLetters.get());
		return missing;
	}

	int count() {
		return this.all.size();
	}

	int repeated() {
		return this.repeated;
	}

	static String brief(UUID id) {
		return "#" + id.getLeastSignificantBits();
	}

}
