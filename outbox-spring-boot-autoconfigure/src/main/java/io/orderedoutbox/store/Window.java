package io.orderedoutbox.store;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Part of the outbox as one statement saw it.
 *
 * @param seenAt when the statement began, or the one that it goes on from, by the clock
 * of the {@link Scan}
 * @param rows the rows in order
 * @param start where it begins
 * @param end the last position that it could have shown
 * @param full whether there may be more behind it
 * @param whole whether the candidates are all that could be claimed of it
 * @param candidates the runs in it that could be claimed
 */
record Window(long seenAt, List<Row> rows, long start, long end, boolean full, boolean whole,
		List<Candidate> candidates) {

	private static final long MAX_AGE = Duration.ofSeconds(1).toNanos();

	/**
	 * A window.
	 * @param size how many rows were asked for
	 * @param excluded what cannot be claimed, although it looks so
	 */
	static Window of(long seenAt, List<Row> rows, long start, int size, Predicate<Candidate> excluded,
			ClaimSettings settings) {
		List<Candidate> candidates = Candidate.in(rows, settings).stream().filter(excluded.negate()).toList();
		boolean full = rows.size() == size;
		long end = full ? rows.get(size - 1).id() : Long.MAX_VALUE;
		return new Window(seenAt, rows, start, end, full, true, Candidate.shared(candidates, settings));
	}

	/**
	 * A window that shows some keys only.
	 */
	static Window ofKeys(long seenAt, List<Row> rows, long start, long end, ClaimSettings settings) {
		return new Window(seenAt, rows, start, end, true, false,
				Candidate.shared(Candidate.in(rows, settings), settings));
	}

	/**
	 * The first candidates, as many as have so many messages.
	 */
	Window portion(int messages) {
		int count = Candidate.count(this.candidates, messages);
		return (count < this.candidates.size()) ? with(this.candidates.subList(0, count)) : this;
	}

	/**
	 * What is left of it without its first candidates.
	 */
	Window without(int first) {
		return with(this.candidates.subList(first, this.candidates.size()));
	}

	/**
	 * What follows in the keys of the candidates, now that some of their rows are gone.
	 * Rows of a key are only gone from the first on: the first that is left is the head.
	 * Nothing follows what is bound to no order: the others were candidates themselves.
	 */
	Window after(Collection<Long> gone, ClaimSettings settings) {
		Set<Long> ids = new HashSet<>(gone);
		Set<String> keys = boundKeys(settings);
		List<Row> left = this.rows.stream().filter((row) -> !ids.contains(row.id())).toList();
		List<Row> following = left.stream().filter((row) -> keys.contains(row.partitionKey())).toList();
		return new Window(this.seenAt, left, this.start, this.end, this.full, false,
				Candidate.shared(Candidate.in(following, settings), settings));
	}

	/**
	 * Whether it was seen so long ago that the outbox must be looked at again.
	 */
	boolean isOld(long now) {
		return isOld(this.seenAt, now);
	}

	/**
	 * Whether the outbox must be looked at again, rather than to use what is known since
	 * then.
	 */
	static boolean isOld(long since, long now) {
		return now - since > MAX_AGE;
	}

	/**
	 * The keys of the candidates, as far as their order has to be kept.
	 */
	Set<String> boundKeys(ClaimSettings settings) {
		return this.candidates.stream()
			.filter((run) -> run.isBound(settings))
			.map((run) -> run.head().partitionKey())
			.collect(Collectors.toSet());
	}

	/**
	 * The same with some of its candidates only.
	 */
	Window with(List<Candidate> some) {
		return new Window(this.seenAt, this.rows, this.start, this.end, this.full, false, some);
	}

	boolean fromStart() {
		return this.start == 0;
	}

	long firstId() {
		return this.rows.get(0).id();
	}

	long lastId() {
		return this.rows.get(this.rows.size() - 1).id();
	}

}
