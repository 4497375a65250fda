package io.orderedoutbox.jdbc.claim;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import io.orderedoutbox.jdbc.SqlFragments;
import io.orderedoutbox.jdbc.claim.ClaimStatements.Range;
import io.orderedoutbox.jdbc.claim.PartitionCursor.Seen;
import org.jspecify.annotations.Nullable;

/**
 * A partition whose row a claim has locked, and what the claim has read of it.
 * <p>
 * The rows of a key may have gaps. Its sequence has none: the sequence is a beginning of
 * what there is of the key, or there is no sequence.
 */
final class OwnedPartition {

	private final int id;

	private final PartitionCursor cursor;

	private final boolean hasParkedKeys;

	private final boolean hasDueKeys;

	private final TreeMap<Long, ClaimedRow> rows = new TreeMap<>();

	private final Map<String, Long> parkedLanes = new HashMap<>();

	private final List<ClaimedSequence> sequences = new ArrayList<>();

	private final Map<Long, Long> moves = new HashMap<>();

	private Map<String, List<Long>> waiting = Map.of();

	private long from;

	private int limit;

	private int newRows;

	private boolean moreIsDue;

	private @Nullable String leaving;

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
		return this.hasDueKeys && this.sequences.stream().noneMatch(ClaimedSequence::isParked);
	}

	/**
	 * Decide what to read: of what waits half of the quota at most, and from the cursor
	 * on the rest; behind what waits no less than the look-ahead.
	 */
	void plan(int quota, int lookAhead, String server) {
		this.from = this.cursor.begin(server);
		this.waiting = this.cursor.hasWaiting() ? this.cursor.first(Math.max(1, quota / 2)) : Map.of();
		int waitingRows = this.waiting.values().stream().mapToInt(List::size).sum();
		int behind = this.cursor.hasWaiting() ? lookAhead : 0;
		this.limit = Math.min(this.cursor.room(), Math.max(quota - waitingRows, behind));
	}

	/** The places of what waits and is to be read. */
	List<String> waitingPlaces() {
		return this.waiting.values()
			.stream()
			.flatMap(List::stream)
			.map((position) -> SqlFragments.place(this.id, position))
			.toList();
	}

	/** The rows to be read from the cursor on. */
	Range newRange(long last) {
		return new Range(this.id, this.from, last, this.limit);
	}

	/** A row of the lane of the partition was read. */
	void add(ClaimedRow row) {
		this.rows.put(row.id(), row);
		if (row.id() >= this.from) {
			this.newRows++;
		}
	}

	/** What was read of the lane of the partition, in order. */
	Collection<ClaimedRow> rows() {
		return this.rows.values();
	}

	/** A key of this partition is parked. */
	void park(String key, long lane) {
		this.parkedLanes.put(key, lane);
	}

	/**
	 * The lane of a parked key was read.
	 * @param most how many rows were asked for
	 */
	void addLane(long lane, int most, List<ClaimedRow> laneRows) {
		boolean whole = laneRows.size() < most;
		this.moreIsDue |= !whole;
		this.sequences.add(new ClaimedSequence(this, lane, whole, new ArrayList<>(laneRows)));
	}

	/** There are lanes that are due, and were not read or not sent to their ends. */
	void noteMoreIsDue() {
		this.moreIsDue = true;
	}

	/**
	 * Put together what was read. A row whose key is parked is moved to the lane of the
	 * key, unless all of that lane was read: then it follows. A row behind another of its
	 * key that waits and was not read is left alone.
	 */
	void arrange() {
		Map<Long, ClaimedSequence> lanes = new HashMap<>();
		this.sequences.forEach((sequence) -> lanes.put(sequence.lane(), sequence));
		Map<String, ClaimedSequence> keys = new HashMap<>();
		for (ClaimedRow row : this.rows.values()) {
			Long lane = this.parkedLanes.get(row.key());
			ClaimedSequence parked = (lane != null) ? lanes.get(lane) : null;
			if (row.key().isEmpty()) {
				newSequence().rows().add(row);
			}
			else if (!isBehindUnread(row)) {
				if (lane == null) {
					keys.computeIfAbsent(row.key(), (absent) -> newSequence()).rows().add(row);
				}
				else if (parked != null && parked.isWhole()) {
					parked.rows().add(row);
				}
				else {
					this.moves.put(row.id(), lane);
				}
			}
		}
	}

	private ClaimedSequence newSequence() {
		ClaimedSequence sequence = new ClaimedSequence(this, this.id, true, new ArrayList<>());
		this.sequences.add(sequence);
		return sequence;
	}

	private boolean isBehindUnread(ClaimedRow row) {
		List<Long> known = this.waiting.get(row.key());
		long readTo = (known != null) ? known.get(known.size() - 1) : -1;
		return row.id() > readTo && this.cursor.isWaitingBehind(row.key(), readTo);
	}

	List<ClaimedSequence> sequences() {
		return this.sequences;
	}

	/**
	 * Positions in the lane of the partition, and the lanes of parked keys to which they
	 * go unsent.
	 */
	Map<Long, Long> moves() {
		return this.moves;
	}

	/**
	 * All that is known to be there of the key that leaves little room for others, if
	 * there is such a key and it is not parked. The key leaves for a lane of its own.
	 * @param gone what is not there any more
	 * @param moved what goes to a lane anyway
	 */
	NavigableSet<Long> leaving(Set<Long> gone, Set<Long> moved) {
		NavigableSet<Long> positions = new TreeSet<>();
		String key = this.cursor.crowdingKey();
		if (key != null && !this.parkedLanes.containsKey(key)) {
			positions.addAll(this.cursor.waiting(key));
			this.rows.values()
				.stream()
				.filter((row) -> row.key().equals(key))
				.forEach((row) -> positions.add(row.id()));
			positions.removeAll(gone);
			// If the key has just been parked, what waits of it follows
			if (Collections.disjoint(positions, moved)) {
				this.leaving = key;
				return positions;
			}
		}
		return Collections.emptyNavigableSet();
	}

	/** The claim was committed: what it has read is gone, or moved, or waits. */
	void moveCursor(String server, Set<Long> gone, Set<Long> moved) {
		Map<String, List<Long>> left = new HashMap<>();
		Map<String, Integer> sent = new HashMap<>();
		for (ClaimedRow row : this.rows.values()) {
			if (gone.contains(row.id())) {
				sent.merge(row.key(), 1, Integer::sum);
			}
			else if (!moved.contains(row.id())) {
				left.computeIfAbsent(row.key(), (absent) -> new ArrayList<>()).add(row.id());
			}
		}
		// What waited and is not there any more was taken by another instance
		this.waiting.forEach((key, ids) -> sent.merge(key,
				(int) ids.stream().filter((position) -> !this.rows.containsKey(position)).count(), Integer::sum));
		long seenTo = (this.newRows > 0) ? this.rows.lastKey() + 1 : this.from;
		this.cursor.advance(new Seen(server, seenTo), this.waiting, left, sent);
		if (this.leaving != null) {
			this.cursor.forget(this.leaving);
		}
	}

	/** Whether something may be left that can be sent. */
	boolean hasMore() {
		return this.newRows >= this.limit || this.moreIsDue || this.cursor.hasWaiting();
	}

}
