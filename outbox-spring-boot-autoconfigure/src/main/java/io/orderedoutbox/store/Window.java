package io.orderedoutbox.store;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Part of the outbox as one statement saw it.
 *
 * @param rows the rows in order
 * @param start where it begins
 * @param full whether there may be more behind it
 * @param rest whether this is what an earlier claim has left of it
 * @param candidates the runs in it that could be claimed
 */
record Window(List<Row> rows, long start, boolean full, boolean rest, List<Candidate> candidates) {

	/**
	 * A window.
	 * @param size how many rows were asked for
	 * @param passedOver keys whose heads are known to be before the start
	 */
	static Window of(List<Row> rows, long start, int size, Set<String> passedOver, ClaimSettings settings) {
		List<Candidate> candidates = Candidate.in(rows, settings)
			.stream()
			.filter((run) -> !run.isBound(settings) || !passedOver.contains(run.head().partitionKey()))
			.toList();
		return new Window(rows, start, rows.size() == size, false, Candidate.shared(candidates, settings));
	}

	/**
	 * The same window without a run and those before it.
	 */
	Window after(Candidate last) {
		int next = this.candidates.indexOf(last) + 1;
		return new Window(this.rows, this.start, this.full, true,
				this.candidates.subList(next, this.candidates.size()));
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
