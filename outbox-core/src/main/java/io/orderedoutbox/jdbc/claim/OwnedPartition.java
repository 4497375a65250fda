package io.orderedoutbox.jdbc.claim;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * A partition whose row a claim has locked, and what the claim has read of it.
 * <p>
 * Of each key the claim has either read a beginning of what is in the lane of the
 * partition, without a gap, or nothing.
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

	private int read;

	private boolean moreLanesAreDue;

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

	/**
	 * Decide what to read: of what waits half of the rows at most, and from the cursor on
	 * the rest.
	 */
	void plan(int quota, String server) {
		this.from = this.cursor.begin(server);
		this.waiting = this.cursor.hasWaiting() ? this.cursor.first(Math.max(1, quota / 2)) : Map.of();
		int waitingRows = this.waiting.values().stream().mapToInt(List::size).sum();
		this.limit = Math.min(this.cursor.room(), quota - waitingRows);
	}

	/**
	 * What waits and is to be read, by key.
	 */
	Map<String, List<Long>> waiting() {
		return this.waiting;
	}

	/**
	 * The position from which on rows are read without a gap: that of the cursor when the
	 * claim began.
	 */
	long from() {
		return this.from;
	}

	/**
	 * How many rows are to be read from the cursor on.
	 */
	int limit() {
		return this.limit;
	}

	/**
	 * A row of the lane of the partition was read.
	 */
	void add(ClaimedRow row) {
		this.rows.put(row.id(), row);
		if (row.id() >= this.from) {
			this.read++;
		}
	}

	/**
	 * Whether a row of the lane of the partition was there when it was read.
	 */
	boolean hasRead(long position) {
		return this.rows.containsKey(position);
	}

	/**
	 * What was read of the lane of the partition, in order.
	 */
	Collection<ClaimedRow> rows() {
		return this.rows.values();
	}

	/**
	 * Whether something of the same key lies before a row and was not read.
	 */
	boolean isBehindUnread(ClaimedRow row) {
		List<Long> known = this.waiting.get(row.key());
		long readTo = (known != null) ? known.get(known.size() - 1) : -1;
		return row.id() > readTo && this.cursor.isWaitingBehind(row.key(), readTo);
	}

	/**
	 * A key of this partition is parked.
	 */
	void park(String key, long lane) {
		this.parkedLanes.put(key, lane);
	}

	@Nullable Long parkedLane(String key) {
		return this.parkedLanes.get(key);
	}

	/**
	 * Begin a sequence from the lane of the partition.
	 */
	ClaimedSequence begin() {
		ClaimedSequence sequence = new ClaimedSequence(this, this.id, true);
		this.sequences.add(sequence);
		return sequence;
	}

	/**
	 * Begin a sequence with what was read from the lane of a parked key.
	 * @param most how many rows were asked for
	 */
	void begin(long lane, int most, List<ClaimedRow> rows) {
		boolean whole = rows.size() < most;
		this.moreLanesAreDue |= !whole;
		ClaimedSequence sequence = new ClaimedSequence(this, lane, whole);
		rows.forEach(sequence::add);
		this.sequences.add(sequence);
	}

	List<ClaimedSequence> sequences() {
		return this.sequences;
	}

	/**
	 * A row is not sent, because its key is parked: it goes to the lane of its key.
	 */
	void move(ClaimedRow row, long lane) {
		this.moves.put(row.id(), lane);
	}

	/**
	 * Positions in the lane of the partition, and the lanes to which they go.
	 */
	Map<Long, Long> moves() {
		return this.moves;
	}

	/**
	 * There are lanes that are due and were not read.
	 */
	void moreLanesAreDue() {
		this.moreLanesAreDue = true;
	}

	/**
	 * Everything in the lane below this position was read or waits.
	 */
	long seenTo() {
		return (this.read > 0) ? this.rows.lastKey() + 1 : this.from;
	}

	/**
	 * Whether there may be more in the lane, or in other lanes, than was read.
	 */
	boolean hasMore() {
		return this.read >= this.limit || this.moreLanesAreDue;
	}

}
