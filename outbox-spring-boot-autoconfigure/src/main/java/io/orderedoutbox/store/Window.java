package io.orderedoutbox.store;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Part of the outbox as one statement saw it.
 *
 * @param rows the rows in order
 * @param start where it begins
 * @param full whether there may be more behind it
 * @param whole whether the candidates are all that could be claimed of it
 * @param candidates the runs in it that could be claimed
 */
record Window(List<Row> rows, long start, boolean full, boolean whole, List<Candidate> candidates) {

	/**
	 * A window.
	 * @param size how many rows were asked for
	 * @param excluded what cannot be claimed, although it looks so
	 */
	static Window of(List<Row> rows, long start, int size, Predicate<Candidate> excluded, ClaimSettings settings) {
		List<Candidate> candidates = Candidate.in(rows, settings).stream().filter(excluded.negate()).toList();
		return new Window(rows, start, rows.size() == size, true, Candidate.shared(candidates, settings));
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

	private Window with(List<Candidate> some) {
		return new Window(this.rows, this.start, this.full, false, some);
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

	/**
	 * How many messages could be claimed, now and as soon as those before them are gone.
	 */
	long claimable() {
		Set<String> keys = this.candidates.stream().map((run) -> run.head().partitionKey()).collect(Collectors.toSet());
		return this.rows.stream().filter((row) -> row.due() && keys.contains(row.partitionKey())).count();
	}

}
