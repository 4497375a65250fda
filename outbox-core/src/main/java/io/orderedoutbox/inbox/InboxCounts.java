/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what has become of the messages of each consumer of this instance since the
 * start.
 */
public final class InboxCounts implements InboxListener {

	private final Map<String, Counter> consumers = new ConcurrentHashMap<>();

	@Override
	public void delivered(String consumer, InboxOutcome outcome) {
		this.consumers.computeIfAbsent(consumer, (any) -> new Counter()).count(outcome);
	}

	/**
	 * Return the counts of the consumers that a message was delivered to.
	 * @return one entry for each consumer, by name
	 */
	public List<ConsumerCounts> consumers() {
		return this.consumers.entrySet()
			.stream()
			.sorted(Map.Entry.comparingByKey())
			.map((entry) -> entry.getValue().counts(entry.getKey()))
			.toList();
	}

	private static final class Counter {

		private final Map<InboxOutcome, LongAdder> outcomes = new EnumMap<>(InboxOutcome.class);

		private volatile Instant last = Instant.now();

		Counter() {
			for (InboxOutcome outcome : InboxOutcome.values()) {
				this.outcomes.put(outcome, new LongAdder());
			}
		}

		void count(InboxOutcome outcome) {
			LongAdder adder = this.outcomes.get(outcome);
			if (adder != null) {
				adder.increment();
			}
			this.last = Instant.now();
		}

		ConsumerCounts counts(String consumer) {
			Map<InboxOutcome, Long> counts = new EnumMap<>(InboxOutcome.class);
			this.outcomes.forEach((outcome, adder) -> counts.put(outcome, adder.sum()));
			return new ConsumerCounts(consumer, counts, this.last);
		}

	}

}
