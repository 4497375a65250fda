/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.orderedoutbox.jdbc.claim.ClaimStatements.Range;

/**
 * A partition whose row a claim has locked, and what the claim has read of it.
 * <ol>
 * <li>Its lane is read from the cursor on without a gap, and of each lane that is due the
 * beginning.</li>
 * <li>Each key has a sequence. A row whose key is parked follows what was read of the
 * lane of the key, if that is all of it; otherwise the row moves there unsent.</li>
 * <li>A key that hides others is not sent to its end, and gets a lane of its own.</li>
 * <li>After the commit the cursor moves to the first row that is still there.</li>
 * </ol>
 */
final class OwnedPartition {

	private final int id;

	private final PartitionCursor cursor;

	private final boolean hasParkedKeys;

	private final boolean hasDueKeys;

	private final TreeMap<Long, ClaimedRow> rows = new TreeMap<>();

	private final Map<String, Long> parkedLanes = new HashMap<>();

	private final Map<Long, List<ClaimedRow>> dueLanes = new LinkedHashMap<>();

	private final List<ClaimedSequence> sequences = new ArrayList<>();

	private final Map<Long, Long> moves = new LinkedHashMap<>();

	// How many rows of the lane of the partition were asked for
	private int limit;

	// How many messages of each lane that is due may be sent
	private int laneLimit;

	private boolean isMoreDue;

	private boolean isAnythingLeft;

	OwnedPartition(int id, PartitionCursor cursor, boolean hasParkedKeys, boolean hasDueKeys) {
		this.id = id;
		this.cursor = cursor;
		this.hasParkedKeys = hasParkedKeys;
		this.hasDueKeys = hasDueKeys;
	}

	int id() {
		return this.id;
	}

	PartitionCursor cursor() {
		return this.cursor;
	}

	boolean hasParkedKeys() {
		return this.hasParkedKeys;
	}

	boolean hasDueKeys() {
		return this.hasDueKeys;
	}

	/** Whether no lane is due, although the row of the partition says so. */
	boolean isRetryStale() {
		return this.hasDueKeys && this.dueLanes.isEmpty();
	}

	/** A key of this partition is parked. */
	void park(String key, long lane) {
		if (!key.isEmpty()) {
			this.parkedLanes.put(key, lane);
		}
	}

	/** The lane of a parked key is due. */
	void parkDue(String key, long lane) {
		park(key, lane);
		this.dueLanes.put(lane, new ArrayList<>());
	}

	/** There are lanes that are due, and were not read or not sent to their ends. */
	void noteMoreIsDue() {
		this.isMoreDue = true;
	}

	/**
	 * Decide what to read: of the lane of the partition what follows the cursor, and of
	 * each lane that is due the same share of half a quota, and one row more that tells
	 * whether there is more.
	 * @param server on which server
	 * @param quota how many messages of the partition a batch takes
	 * @param newRows how many rows of the lane of the partition are read
	 * @param last the position up to which they are read, 0 for none of them
	 */
	List<Range> plan(String server, int quota, int newRows, long last) {
		long from = this.cursor.begin(server);
		this.limit = newRows;
		this.laneLimit = Math.max(1, quota / 2 / Math.max(1, this.dueLanes.size()));
		List<Range> ranges = new ArrayList<>();
		if (last > 0) {
			ranges.add(new Range(this.id, from, last, this.limit));
		}
		this.dueLanes.keySet()
			.forEach((lane) -> ranges
				.add(new Range(lane, this.cursor.nextOfParked(lane), Long.MAX_VALUE, this.laneLimit + 1)));
		return ranges;
	}

	/** A row was read. */
	void add(ClaimedRow row) {
		if (row.isInParkedLane()) {
			Objects.requireNonNull(this.dueLanes.get(row.lane())).add(row);
		}
		else {
			this.rows.put(row.id(), row);
		}
	}

	/** All that was read, in any lane; some of it twice. */
	Stream<ClaimedRow> allRows() {
		return Stream.concat(this.rows.values().stream(), this.dueLanes.values().stream().flatMap(List::stream));
	}

	/** What was read of the lane of the partition, in order. */
	Collection<ClaimedRow> rows() {
		return this.rows.values();
	}

	/**
	 * Put together what was read, as a sequence for each key. A row whose key is parked
	 * is moved to the lane of the key, unless all of that lane was read: then it follows.
	 */
	void arrange() {
		Map<Long, ClaimedSequence> whole = new HashMap<>();
		this.dueLanes.forEach((lane, laneRows) -> {
			laneRows.sort(Comparator.comparingLong(ClaimedRow::id));
			ClaimedSequence sequence = new ClaimedSequence(this, lane, laneRows.size() <= this.laneLimit, laneRows);
			this.sequences.add(sequence);
			if (sequence.isWhole()) {
				whole.put(lane, sequence);
			}
			else {
				noteMoreIsDue();
			}
		});
		Map<String, ClaimedSequence> keys = new HashMap<>();
		for (ClaimedRow row : this.rows.values()) {
			Long lane = this.parkedLanes.get(row.key());
			if (row.key().isEmpty()) {
				newSequence().rows().add(row);
			}
			else if (lane == null) {
				keys.computeIfAbsent(row.key(), (absent) -> newSequence()).rows().add(row);
			}
			else if (whole.containsKey(lane)) {
				whole.get(lane).rows().add(row);
			}
			else {
				this.moves.put(row.id(), lane);
			}
		}
	}

	private ClaimedSequence newSequence() {
		ClaimedSequence sequence = new ClaimedSequence(this, this.id, true, new ArrayList<>());
		this.sequences.add(sequence);
		return sequence;
	}

	List<ClaimedSequence> sequences() {
		return this.sequences;
	}

	/**
	 * How many messages of a sequence a batch may take. Of a parked key only its share,
	 * if there are others: so parked keys leave room for one another. And not the last
	 * message of a key that hides others: it is not sent to its end, and gets a lane of
	 * its own. And nothing from a message on whose time has not come.
	 */
	int sendable(ClaimedSequence sequence) {
		int all = sequence.rows().size();
		int most = Math.min(isHidingOthers(sequence) ? all - 1 : all, sequence.due());
		boolean shares = sequence.isParked() && !(sequence.isWhole() && this.sequences.size() == 1);
		return shares ? Math.min(most, this.laneLimit) : most;
	}

	/**
	 * Whether a claim has read as many rows as it may, and more than half of them are of
	 * one key.
	 */
	boolean isHidingOthers(ClaimedSequence sequence) {
		return isFull() && isFullOf(sequence.rows().stream().filter((row) -> !row.isInParkedLane()).count());
	}

	/**
	 * Whether a claim has read as many rows as it may, and more than half of them are of
	 * some kind.
	 * @param some how many are
	 */
	boolean isFullOf(long some) {
		return isFull() && some > this.limit / 2;
	}

	/** Whether a key has so many of the rows that a few such keys hide others. */
	boolean isMany(int rowsOfAKey) {
		return rowsOfAKey > this.limit / 8;
	}

	private boolean isFull() {
		return this.rows.size() >= this.limit;
	}

	/**
	 * Positions in the lane of the partition, and the lanes of parked keys to which they
	 * go unsent.
	 */
	Map<Long, Long> moves() {
		return this.moves;
	}

	/** The claim was committed: the cursor moves to the first row that is still there. */
	void moveCursor(String server, Set<Long> gone, Set<Long> moved) {
		// Behind all that there is, the cursor stays where it was
		long end = isFull() ? 0 : this.cursor.next(server);
		if (!this.rows.isEmpty()) {
			end = Math.max(end, this.rows.lastKey() + 1);
		}
		long next = this.rows.keySet()
			.stream()
			.filter((position) -> !gone.contains(position) && !moved.contains(position))
			.findFirst()
			.orElse(end);
		this.isAnythingLeft = next < end;
		Map<Long, Long> lanes = new HashMap<>();
		this.dueLanes.forEach((lane, laneRows) -> laneRows.stream()
			.map(ClaimedRow::id)
			.filter((position) -> !gone.contains(position))
			.findFirst()
			.ifPresent((position) -> lanes.put(lane, position)));
		boolean crowded = this.sequences.stream().anyMatch(this::isHidingOthers)
				|| isFullOf(this.rows.keySet().stream().filter(moved::contains).count());
		this.cursor.moveTo(server, next, lanes, crowded);
	}

	/** Whether something may be left that can be sent. */
	boolean hasMore() {
		return isFull() || this.isMoreDue || this.isAnythingLeft;
	}

}
