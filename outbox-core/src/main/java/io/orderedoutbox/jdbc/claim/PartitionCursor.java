package io.orderedoutbox.jdbc.claim;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

/**
 * How far this instance has seen the lane of a partition.
 * <ol>
 * <li>Everything in the lane below the cursor was seen. It is gone, or it waits: messages
 * that were read and not sent, for any reason. So a key with a large backlog does not
 * hide the others behind it: they are read from the cursor on. A key with a very large
 * one leaves no room for others here, and gets a lane of its own.</li>
 * <li>Nothing ever appears below a position that was seen in a lane, because writers hold
 * the stripe of the partition until their commit; and only owners of the partition take
 * messages away. So other instances cannot break the first rule: this instance no longer
 * finds what they have taken.</li>
 * <li>A cursor moves only after the commit of a claim that owned the partition, and only
 * to positions which that claim has read in the lane.</li>
 * <li>Positions mean nothing on another server, which may have lost the last of them:
 * there the cursor begins at the start.</li>
 * </ol>
 * This class decides about order and loss. A cursor that is too low costs time; one that
 * is too high would hide messages until the next {@link #restart()}, and a message that
 * is missing among those that wait could be overtaken.
 * <p>
 * Used by the worker that has taken the partition, except where it says otherwise.
 */
final class PartitionCursor {

	// So many positions take less than a megabyte
	private static final int MAX_WAITING = 10_000;

	// With less room than that, others wait for long
	private static final int LITTLE_ROOM = MAX_WAITING / 10;

	// As many of a key are read again at least
	private static final int MIN_PACE = 16;

	private final Map<String, NavigableSet<Long>> waiting = new LinkedHashMap<>();

	// How many of a key that waits its next batch can send, by what its last one has sent
	private final Map<String, Integer> paces = new HashMap<>();

	private int count;

	// Read by any thread
	private volatile Seen seen = new Seen("", 0);

	// Set by any thread
	private volatile boolean restarting;

	/**
	 * Begin to read on a server; at the start if it is another one, or if
	 * {@link #restart()} was called.
	 * @return the lowest position that was not looked at there
	 */
	long begin(String server) {
		// Once: another thread may restart the cursor at any moment
		long next = next(server);
		if (next == 0) {
			// A claim that fails leaves the cursor there, with nothing that waits
			this.seen = new Seen(server, 0);
			this.restarting = false;
			this.waiting.clear();
			this.paces.clear();
			this.count = 0;
		}
		return next;
	}

	/** The lowest position that was not looked at on a server. Any thread may ask. */
	long next(String server) {
		Seen current = this.seen;
		return (current.server().equals(server) && !this.restarting) ? current.next() : 0;
	}

	/** Go back to the start with the next claim. Any thread may say so. */
	void restart() {
		this.restarting = true;
	}

	/** How many more positions may be looked at before some of what waits is gone. */
	int room() {
		return Math.max(0, MAX_WAITING - this.count);
	}

	boolean hasWaiting() {
		return this.count > 0;
	}

	/** The key of which most waits if there is little room for others, otherwise null. */
	@Nullable String crowdingKey() {
		return (room() > LITTLE_ROOM) ? null
				: this.waiting.keySet()
					.stream()
					.filter((key) -> !key.isEmpty())
					.max(Comparator.comparingInt((key) -> waiting(key).size()))
					.orElse(null);
	}

	/** The positions of a key that wait. */
	NavigableSet<Long> waiting(String key) {
		return this.waiting.getOrDefault(key, Collections.emptyNavigableSet());
	}

	/** Nothing of a key waits any more. */
	void forget(String key) {
		this.count -= waiting(key).size();
		this.waiting.remove(key);
	}

	/** Whether something of a key waits that is behind a position. */
	boolean isWaitingBehind(String key, long position) {
		return waiting(key).higher(position) != null;
	}

	/**
	 * The first positions of each key that waits: of each key as many as its next batch
	 * may send, and no more than its share.
	 * @param limit how many together, at least one
	 * @return positions by key, ascending
	 */
	Map<String, List<Long>> first(int limit) {
		Map<String, List<Long>> first = new LinkedHashMap<>();
		int share = Math.max(1, limit / Math.max(1, this.waiting.size()));
		int left = limit;
		for (Map.Entry<String, NavigableSet<Long>> key : this.waiting.entrySet()) {
			int most = Math.min(Math.min(share, this.paces.getOrDefault(key.getKey(), MIN_PACE)), left);
			List<Long> positions = key.getValue().stream().limit(most).toList();
			left -= positions.size();
			if (!positions.isEmpty()) {
				first.put(key.getKey(), positions);
			}
		}
		return first;
	}

	/**
	 * A claim that has read this partition was committed.
	 * @param seenTo everything below it was read there or waits
	 * @param asked what waited and was asked for, by key
	 * @param left what was read and is still in the lane, by key
	 * @param sent how many messages of each key were sent, or taken by another instance
	 */
	void advance(Seen seenTo, Map<String, List<Long>> asked, Map<String, List<Long>> left, Map<String, Integer> sent) {
		// A key that has had its turn comes last
		asked.forEach((key, positions) -> {
			NavigableSet<Long> known = this.waiting.remove(key);
			if (known != null) {
				positions.forEach(known::remove);
				if (!known.isEmpty()) {
					this.waiting.put(key, known);
				}
			}
		});
		left.forEach(
				(key, positions) -> this.waiting.computeIfAbsent(key, (absent) -> new TreeSet<>()).addAll(positions));
		sent.forEach((key, number) -> this.paces.put(key, Math.max(MIN_PACE, 2 * number)));
		this.paces.keySet().retainAll(this.waiting.keySet());
		this.count = this.waiting.values().stream().mapToInt(Collection::size).sum();
		this.seen = new Seen(seenTo.server(), Math.max(this.seen.next(), seenTo.next()));
	}

	/** Up to where a server was looked at. */
	record Seen(String server, long next) {

	}

}
