/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.util.Map;

/**
 * Where a claim begins to read the lane of a partition, as far as this instance knows.
 * <ol>
 * <li>Nothing is in the lane below the cursor: it was published, or given up, or moved to
 * the lane of a parked key.</li>
 * <li>Nothing ever appears below a position that was seen in a lane, because writers hold
 * the stripe of the partition until their commit. So other instances cannot break the
 * first rule: they only take messages away.</li>
 * <li>A cursor moves only after the commit of a claim that owned the partition, and not
 * further than just behind the last position that this claim or an earlier one has read
 * in the lane.</li>
 * <li>Positions mean nothing on another server, which may have lost the last of them:
 * there the cursor begins at the start.</li>
 * </ol>
 * For the lanes of parked keys that the last claim has read, the cursor remembers a
 * position by the same rules.
 * <p>
 * This class decides about loss and order. A cursor that is too low costs time; one that
 * is too high would hide messages until the next {@link #restart()} or {@link #sweep()},
 * and let later ones of their keys overtake them.
 */
final class PartitionCursor {

	private volatile Position position = new Position("", 0);

	// Set by any thread
	private volatile boolean restarting;

	private volatile boolean sweeping;

	// For the owner of the partition alone
	private Map<Long, Long> parkedLanes = Map.of();

	private boolean crowded;

	/**
	 * Begin to read on a server; at the start if it is another one, or if
	 * {@link #restart()} or {@link #sweep()} was called. For the owner of the partition.
	 * @return nothing is there below it
	 */
	long begin(String server) {
		Position current = this.position;
		if (this.restarting || !current.server().equals(server)) {
			// A claim that fails leaves the cursor there
			this.restarting = false;
			current = new Position(server, 0);
			this.position = current;
			this.parkedLanes = Map.of();
		}
		if (this.sweeping) {
			this.sweeping = false;
			this.parkedLanes = Map.of();
			return 0;
		}
		return current.next();
	}

	/** Where to begin on a server. Any thread may ask. */
	long next(String server) {
		Position current = this.position;
		return (current.server().equals(server) && !this.restarting) ? current.next() : 0;
	}

	/** Where to begin in the lane of a parked key. For the owner of the partition. */
	long nextOfParked(long lane) {
		return this.parkedLanes.getOrDefault(lane, -lane);
	}

	/**
	 * Whether most of what the last claim has read was in the way. For the owner of the
	 * partition.
	 */
	boolean isCrowded() {
		return this.crowded;
	}

	/** Go back to the start with the next claim, and forget where it was. */
	void restart() {
		this.restarting = true;
	}

	/** Let the next claim look from the start, once. */
	void sweep() {
		this.sweeping = true;
	}

	/**
	 * A claim that has read the partition was committed.
	 * @param next nothing is left below it
	 * @param lanes the same in lanes of parked keys
	 * @param crowded whether most of what was read was in the way
	 */
	void moveTo(String server, long next, Map<Long, Long> lanes, boolean crowded) {
		this.position = new Position(server, next);
		this.parkedLanes = lanes;
		this.crowded = crowded;
	}

	private record Position(String server, long next) {

	}

}
