/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.listen;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Payloads that are still being undone although their time is over: each keeps a thread,
 * and its message, which has spent no attempt, comes again and again.
 */
final class AbandonedWork {

	private static final int MOST = 10;

	private final Set<HandOver> all = ConcurrentHashMap.newKeySet();

	void add(HandOver handOver) {
		this.all.add(handOver);
	}

	/** Return whether no other payload should begin beside them. */
	boolean isTooMuch() {
		this.all.removeIf((handOver) -> !handOver.isRunning());
		return this.all.size() >= MOST;
	}

}
