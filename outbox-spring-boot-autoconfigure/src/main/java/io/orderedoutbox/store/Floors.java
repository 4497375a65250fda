package io.orderedoutbox.store;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * What one instance knows of partition keys: a position below which there is no row of
 * the key, nor will there ever be. So a window that begins at a mark shows the head of a
 * key whose floor is not below that mark, and nobody has to ask the database.
 * <ol>
 * <li>Rows of a key get their positions in the order of their commits: nothing can appear
 * before a row that was seen. The first row of a key in a window from the very start is
 * its floor, and so is a head that was verified.</li>
 * <li>When rows of a key are published, its floor is the next row that was seen of it, or
 * lies behind the last one.</li>
 * <li>A window is older than some of what is known. Whatever it did not see of a key lies
 * behind what it did see; and a row below a floor is gone, and cannot be locked.</li>
 * </ol>
 * All that holds only as long as positions do not go back. When a database takes back
 * what was committed, as a replica that becomes the primary too early does, or when the
 * table is truncated or replaced, floors are wrong until they are forgotten: with every
 * look from the very start, when a row that is locked lies below one, with every error,
 * with every claim that was given up, and when a claim is made on another server than the
 * last one of this instance.
 * <p>
 * Used by several threads.
 */
final class Floors {

	// Of more keys few are seen again before the mark has passed their floors
	static final int MOST = 20_000;

	private final Map<String, Long> floors = new ConcurrentHashMap<>();

	private final BooleanSupplier reliable;

	private final LongSupplier clock;

	private @Nullable String server;

	private volatile long movedAt;

	/**
	 * Create it.
	 * @param reliable whether a statement sees what was committed before all that it
	 * sees; asked when the database has answered
	 * @param clock what {@link System#nanoTime} tells
	 */
	Floors(BooleanSupplier reliable, LongSupplier clock) {
		this.reliable = reliable;
		this.clock = clock;
		this.movedAt = clock.getAsLong();
	}

	/**
	 * Nothing is known.
	 */
	void forget() {
		this.floors.clear();
	}

	/**
	 * Claims are made on this server from now on. Another one than before may have taken
	 * back what was committed: nothing is known of it, and what was seen until now counts
	 * no longer.
	 */
	synchronized void askedOn(String name) {
		String before = this.server;
		this.server = name;
		if (before != null && !before.equals(name)) {
			this.movedAt = this.clock.getAsLong();
			forget();
		}
	}

	/**
	 * Whether something was seen before claims moved to the server that they are made on.
	 * @param seenAt when, by the clock
	 */
	boolean isOutdated(long seenAt) {
		return seenAt - this.movedAt < 0;
	}

	/**
	 * These are the heads of their keys.
	 * @param seenAt when, or before
	 */
	void verified(Collection<Candidate> runs, long seenAt) {
		seen(runs.stream().map(Candidate::head).toList(), seenAt);
	}

	/**
	 * Take the first row of each key for its head.
	 * @param rows from the very start, in order
	 * @param seenAt when
	 */
	void seen(List<Row> rows, long seenAt) {
		if (this.reliable.getAsBoolean()) {
			Map<String, Long> first = new HashMap<>();
			rows.forEach((row) -> first.putIfAbsent(row.partitionKey(), row.id()));
			first.remove("");
			first.forEach(this::raise);
			forgetIfOutdated(seenAt);
		}
	}

	// Claims may have moved while this was on its way: then it is of another server
	private void forgetIfOutdated(long seenAt) {
		if (isOutdated(seenAt)) {
			forget();
		}
	}

	private void raise(String key, long floor) {
		if (this.floors.size() >= MOST && !this.floors.containsKey(key)) {
			forget();
		}
		this.floors.merge(key, floor, Math::max);
	}

	/**
	 * Rows of keys that we own are gone: the floor of each is the next row that was seen
	 * of it, or behind the last one.
	 * @param rows in order, without a gap in those keys
	 * @param gone the positions of those that are gone
	 * @param seenAt when the rows were seen
	 */
	void gone(List<Row> rows, Collection<Long> gone, long seenAt) {
		if (this.floors.isEmpty()) {
			return;
		}
		Set<Long> ids = new HashSet<>(gone);
		Map<String, Long> behind = new HashMap<>();
		Map<String, Long> left = new HashMap<>();
		for (Row row : rows) {
			if (ids.contains(row.id())) {
				behind.put(row.partitionKey(), row.id() + 1);
			}
			else {
				left.putIfAbsent(row.partitionKey(), row.id());
			}
		}
		behind.forEach((key, last) -> this.floors.computeIfPresent(key,
				(same, known) -> Math.max(known, left.getOrDefault(key, last))));
		forgetIfOutdated(seenAt);
	}

	/**
	 * Forget everything if one of these shows that something is wrong.
	 * @param runs what is locked, and therefore still there
	 */
	void check(Collection<Candidate> runs) {
		if (runs.stream().anyMatch((run) -> run.head().id() < floor(run))) {
			forget();
		}
	}

	/**
	 * Whether the run begins with the head of its key.
	 * @param run what is locked, and therefore still there
	 * @param start where the window began that has shown it
	 */
	boolean isHead(Candidate run, long start) {
		return floor(run) >= start;
	}

	private long floor(Candidate run) {
		return this.floors.getOrDefault(run.head().partitionKey(), Long.MIN_VALUE);
	}

}
