/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Topics that the broker does not have. A call of the producer waits for such a topic for
 * as long as it may, and the worker with it: so one message in a while asks for it, and
 * the others of that topic fail at once.
 * <p>
 * What is wrong here costs time, and no order.
 */
final class UnknownTopics {

	private static final long FORGOTTEN_AFTER = Duration.ofSeconds(30).toNanos();

	private final Map<String, Long> foundMissingAt = new ConcurrentHashMap<>();

	private final LongSupplier clock;

	UnknownTopics(LongSupplier clock) {
		this.clock = clock;
	}

	void add(String topic) {
		this.foundMissingAt.put(topic, this.clock.getAsLong());
	}

	boolean contain(String topic) {
		Long since = this.foundMissingAt.get(topic);
		if (since == null) {
			return false;
		}
		if (this.clock.getAsLong() - since < FORGOTTEN_AFTER) {
			return true;
		}
		this.foundMissingAt.remove(topic);
		return false;
	}

}
