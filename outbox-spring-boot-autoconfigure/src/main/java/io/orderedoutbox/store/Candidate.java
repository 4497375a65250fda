package io.orderedoutbox.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A run that could be claimed: a head that is due and what follows it.
 */
record Candidate(List<Row> rows) {

	Row head() {
		return this.rows.get(0);
	}

	/**
	 * Whether the order of a key has to be kept.
	 */
	boolean isBound(ClaimSettings settings) {
		return settings.ordered() && !head().partitionKey().isEmpty();
	}

	static List<Long> heads(Collection<Candidate> runs) {
		return runs.stream().map((run) -> run.head().id()).toList();
	}

	/**
	 * Those of the runs that are not among the others.
	 */
	static List<Candidate> without(List<Candidate> runs, List<Candidate> others) {
		Set<Long> heads = new HashSet<>(heads(others));
		return runs.stream().filter((run) -> !heads.contains(run.head().id())).toList();
	}

	static List<Candidate> both(List<Candidate> runs, List<Candidate> others) {
		return Stream.concat(runs.stream(), others.stream()).toList();
	}

	/**
	 * The size of the payloads of the first messages.
	 */
	static long headBytes(Collection<Candidate> runs) {
		return runs.stream().mapToLong((run) -> run.head().payloadSize()).sum();
	}

	static int messages(List<Candidate> runs) {
		return runs.stream().mapToInt((run) -> run.rows().size()).sum();
	}

	/**
	 * How many of the runs, from the first on, it takes to have so many messages.
	 */
	static int count(List<Candidate> runs, int messages) {
		int count = 0;
		for (int sum = 0; count < runs.size() && sum < messages; count++) {
			sum += runs.get(count).rows().size();
		}
		return count;
	}

	/**
	 * Which of the runs somebody has tried to lock: from the first on, until it was
	 * enough.
	 * @param locked those that could be locked
	 */
	static List<Candidate> tried(List<Candidate> runs, List<Candidate> locked, ClaimSettings settings) {
		if (locked.isEmpty() || locked.size() < count(runs, settings.batchSize())) {
			return runs;
		}
		long last = locked.get(locked.size() - 1).head().id();
		return runs.subList(0, heads(runs).indexOf(last) + 1);
	}

	/**
	 * The runs in a window over the outbox. The first row of a key in the window is taken
	 * for its head; nothing of a key is taken from its first row on that is not due. A
	 * row without a key, and in unordered mode any row, is a head of its own.
	 */
	static List<Candidate> in(List<Row> window, ClaimSettings settings) {
		List<Candidate> runs = new ArrayList<>();
		Map<String, Candidate> byKey = new HashMap<>();
		Set<String> held = new HashSet<>();
		for (Row row : window) {
			if (!settings.ordered() || row.partitionKey().isEmpty()) {
				if (row.due()) {
					runs.add(new Candidate(List.of(row)));
				}
				continue;
			}
			if (!row.due()) {
				held.add(row.partitionKey());
			}
			if (held.contains(row.partitionKey())) {
				continue;
			}
			Candidate run = byKey.get(row.partitionKey());
			if (run == null) {
				run = new Candidate(new ArrayList<>());
				byKey.put(row.partitionKey(), run);
				runs.add(run);
			}
			if (run.rows.size() < settings.batchSize()) {
				run.rows.add(row);
			}
		}
		return runs;
	}

	/**
	 * Cut runs so that none is longer than a claim takes of one key: a quarter of it, or
	 * as much as fits in beside all others.
	 */
	static List<Candidate> shared(List<Candidate> runs, ClaimSettings settings) {
		int longest = settings.maxRun();
		while (longest < settings.batchSize() && messages(runs, longest * 2) <= settings.batchSize()) {
			longest *= 2;
		}
		int most = longest;
		return runs.stream().map((run) -> run.first(most)).toList();
	}

	/**
	 * Cut runs so that there is room for all of them in a claim, as long as each can have
	 * one message: to the same length, the first ones to one more.
	 */
	static List<Candidate> levelled(List<Candidate> runs, ClaimSettings settings) {
		int most = runs.stream().mapToInt((run) -> run.rows.size()).max().orElse(0);
		int length = 1;
		while (length < most && messages(runs, length + 1) <= settings.batchSize()) {
			length++;
		}
		int left = settings.batchSize() - messages(runs, length);
		List<Candidate> levelled = new ArrayList<>();
		for (Candidate run : runs) {
			boolean longer = left > 0 && run.rows.size() > length;
			left -= longer ? 1 : 0;
			levelled.add(run.first(longer ? length + 1 : length));
		}
		return levelled;
	}

	/**
	 * How many messages there are, if of each run there were at most so many.
	 */
	static int messages(List<Candidate> runs, int longest) {
		return runs.stream().mapToInt((run) -> Math.min(run.rows.size(), longest)).sum();
	}

	// Or all of it
	private Candidate first(int rows) {
		return (this.rows.size() > rows) ? new Candidate(this.rows.subList(0, rows)) : this;
	}

	/**
	 * This run without what lies behind the given position.
	 */
	Candidate upTo(long lastId) {
		return new Candidate(this.rows.stream().filter((row) -> row.id() <= lastId).toList());
	}

	long lastId() {
		return this.rows.get(this.rows.size() - 1).id();
	}

	/**
	 * Cut runs to what a claim takes. A run is cut at its end or left out, never at its
	 * beginning.
	 */
	static List<Candidate> cut(List<Candidate> runs, ClaimSettings settings) {
		List<Candidate> taken = new ArrayList<>();
		int messages = 0;
		long bytes = 0;
		for (Candidate run : runs) {
			List<Row> rows = new ArrayList<>();
			for (Row row : run.rows) {
				boolean fits = messages < settings.batchSize()
						&& bytes + row.payloadSize() <= settings.batchBytes().toBytes();
				if (!fits && messages > 0) {
					break;
				}
				rows.add(row);
				messages++;
				bytes += row.payloadSize();
			}
			if (!rows.isEmpty()) {
				taken.add(new Candidate(rows));
			}
		}
		return taken;
	}

}
