/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.monitor;

import java.util.List;
import java.util.function.Supplier;

import io.orderedoutbox.inbox.listener.QueueRetries;
import io.orderedoutbox.inbox.listener.ShardRetries;

/**
 * What everything that retries in this instance tells of a queue, taken together.
 */
final class AllRetries {

	private final Supplier<List<ShardRetries>> sources;

	AllRetries(Supplier<List<ShardRetries>> sources) {
		this.sources = sources;
	}

	/**
	 * Whether anything retries.
	 */
	boolean areKnown() {
		return !this.sources.get().isEmpty();
	}

	QueueRetries of(String queue) {
		return this.sources.get()
			.stream()
			.flatMap((source) -> source.retries().stream())
			.filter((retries) -> retries.queue().equals(queue))
			.reduce(QueueRetries.none(queue), QueueRetries::plus);
	}

}
