/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.backlog;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.orderedoutbox.Destination;
import io.orderedoutbox.benchmark.application.Instance;
import io.orderedoutbox.benchmark.broker.BenchQueue;
import io.orderedoutbox.benchmark.load.Payloads;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.OutboxStore;

/**
 * Messages that wait in an outbox, numbered from zero and dealt out to keys in turn.
 *
 * @param messages how many
 * @param keys over how many keys
 * @param payloads what is in them
 * @param queue where they go
 * @param keyPrefix what the names of the keys begin with
 */
record Backlog(int messages, int keys, Payloads payloads, BenchQueue queue, String keyPrefix) {

	private static final int PER_TRANSACTION = 5_000;

	Backlog(int messages, int keys, Payloads payloads, BenchQueue queue) {
		this(messages, keys, payloads, queue, "key-");
	}

	void fill(Instance instance) {
		OutboxStore store = instance.bean(OutboxStore.class);
		for (int from = 0; from < this.messages; from += PER_TRANSACTION) {
			List<Message> part = new ArrayList<>();
			for (int number = from; number < Math.min(this.messages, from + PER_TRANSACTION); number++) {
				part.add(new Message(UUID.randomUUID(), "benchmark.message", this.keyPrefix + number % this.keys,
						new Destination("", this.queue.name()), "application/json", this.payloads.of(number),
						Map.of()));
			}
			instance.transaction().executeWithoutResult((status) -> store.append(part));
		}
	}

}
