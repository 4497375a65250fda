/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.broker;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Checks what arrives. A figure of something that lost, doubled or overtook messages
 * would be worth nothing.
 */
final class Arrivals {

	private final int messages;

	private final int keys;

	private final BitSet seen = new BitSet();

	private final Map<Long, Long> last = new HashMap<>();

	private final CountDownLatch missing;

	private volatile @Nullable String complaint;

	/**
	 * Expect messages.
	 * @param messages how many, numbered from zero
	 * @param keys how many keys they have, number by number; zero if the order does not
	 * matter
	 */
	Arrivals(int messages, int keys) {
		this.messages = messages;
		this.keys = keys;
		this.missing = new CountDownLatch(messages);
	}

	void add(long number) {
		if (number >= this.messages || this.seen.get((int) number)) {
			this.complaint = "Message %d arrived twice, or was never sent".formatted(number);
		}
		this.seen.set((int) number);
		Long before = (this.keys > 0) ? this.last.put(number % this.keys, number) : null;
		if (before != null && before > number) {
			this.complaint = "Message %d arrived after %d of the same key".formatted(number, before);
		}
		this.missing.countDown();
	}

	void await(long nanos) throws InterruptedException {
		if (!this.missing.await(nanos, TimeUnit.NANOSECONDS)) {
			throw new IllegalStateException(
					"%d of %d messages have not arrived".formatted(this.missing.getCount(), this.messages));
		}
		if (this.complaint != null) {
			throw new IllegalStateException(this.complaint);
		}
	}

}
