/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.fault;

import java.util.Set;

/**
 * A fault that happened.
 *
 * @param kind what went wrong
 * @param broke which parts of the world were not whole
 * @param began when it began, by {@link System#nanoTime}
 * @param ended when all was whole again, by the same clock
 * @param frozenRelays how many relays were frozen beyond the lock timeout
 */
public record FaultRecord(String kind, Set<Part> broke, long began, long ended, int frozenRelays) {

	/**
	 * Create a record.
	 */
	public FaultRecord {
		broke = Set.copyOf(broke);
	}

	/**
	 * Return whether it happened in some time.
	 * @param from when that time begins
	 * @param to when that time ends
	 * @return {@code true} if the two overlap
	 */
	public boolean isWithin(long from, long to) {
		return this.began - to <= 0 && this.ended - from >= 0;
	}

}
