/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.fault;

import java.util.EnumSet;
import java.util.Random;
import java.util.Set;

/**
 * Something that goes wrong for a while.
 */
public interface Fault {

	/**
	 * Return what goes wrong, in few words: by these a run reports it, and by these it
	 * can be chosen.
	 * @return the kind
	 */
	String kind();

	/**
	 * Let it go wrong, hold it for a while, and heal it.
	 * @param world what it happens to
	 * @param random decides what the kind leaves open
	 * @throws Exception if it could not be made to happen or not be healed: the run is
	 * worth nothing then
	 */
	void happen(World world, Random random) throws Exception;

	/**
	 * Return how many relays this keeps, for longer than the lock timeout, from noticing
	 * that their claims have ended. Each of their workers may repeat one message that was
	 * past the last check, however long ago.
	 * @return the number of relays
	 */
	default int frozenRelays() {
		return 0;
	}

	/**
	 * Return which parts of the world are not whole while this happens. Faults that break
	 * or need different parts happen at the same time.
	 * @return the parts, unless told otherwise all of them
	 */
	default Set<Part> breaks() {
		return EnumSet.allOf(Part.class);
	}

}
