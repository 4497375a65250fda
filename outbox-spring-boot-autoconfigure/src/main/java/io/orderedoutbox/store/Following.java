package io.orderedoutbox.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * What a worker goes on with when a claim is completed, before it looks at the oldest
 * messages again.
 * <ol>
 * <li>What the window of that claim shows of the same keys.</li>
 * <li>The same keys further on. The oldest messages would show much of what colleagues
 * and others have in their hands, and of many workers each would read all of it to find
 * what it has just left. Where these keys have a good part of all messages, all are read
 * in passing; otherwise these are found by their keys.</li>
 * <li>All of these keys, even if only a few messages of each fit into a claim.</li>
 * <li>Only a few times in a row, and none after a few seconds: as long as everybody keeps
 * his keys, nobody serves those that are in nobody's hands.</li>
 * </ol>
 * A window that shows some keys only shows them from their heads on, as any other does,
 * and is claimed like any other: somebody else may have been quicker. Where snapshots are
 * not atomic a window is looked at twice, which takes its whole range; so nobody goes
 * further there.
 */
final class Following {

	static final int MOST_IN_A_ROW = 8;

	private static final long LONGEST = Duration.ofSeconds(2).toNanos();

	// More ranges than that, and the optimizer may give up and read everything
	private static final int MOST_KEYS = 1_000;

	// With fewer messages of each key there is little to find further on
	private static final int DEPTH = 2;

	// A row that is found by its key costs the database as much as so many neighbours
	// that are read in passing
	private static final int PASSING = 4;

	// The part of a batch that is worth it
	private static final int PART = 8;

	// To find a whole one: beside what the last claim was spread over
	private static final int FARTHEST = 8;

	private final OutboxDatabase database;

	private final ClaimSettings settings;

	private final LongSupplier clock;

	private @Nullable Window completed;

	private Set<Long> gone = Set.of();

	private int inARow;

	Following(OutboxDatabase database, ClaimSettings settings, LongSupplier clock) {
		this.database = database;
		this.settings = settings;
		this.clock = clock;
	}

	/**
	 * A claim is completed.
	 * @param portion that it was taken from
	 * @param claimed the runs in it that were locked, each from the head of its key on
	 * @param published what is gone of it
	 */
	void completed(Window portion, List<Candidate> claimed, Collection<Long> published) {
		this.completed = portion.with(claimed);
		// What was found elsewhere does not tell how far the messages of these keys lie
		// apart
		this.gone = published.stream()
			.filter((id) -> id >= portion.start() && id <= portion.end())
			.collect(Collectors.toSet());
	}

	/**
	 * What follows, or null if it is time to look at the oldest messages.
	 */
	@Nullable Window next() {
		Window last = this.completed;
		this.completed = null;
		if (last != null && !last.isOld(this.clock.getAsLong())) {
			Window left = last.after(this.gone, this.settings);
			if (this.settings.isEnough(left.candidates())) {
				return levelled(left);
			}
		}
		Window further = (last != null && mayGoFurther(last)) ? further(last) : null;
		this.inARow = (further != null) ? this.inARow + 1 : 0;
		return further;
	}

	/**
	 * Whether what follows was looked for further on.
	 */
	boolean isFurther() {
		return this.inARow > 0;
	}

	private boolean mayGoFurther(Window last) {
		return last.full() && this.inARow < MOST_IN_A_ROW && this.clock.getAsLong() - last.seenAt() < LONGEST;
	}

	private @Nullable Window further(Window window) {
		Set<String> keys = window.boundKeys(this.settings);
		boolean seenInOrder = this.database.statements().dialect().hasAtomicSnapshots();
		if (!seenInOrder || keys.isEmpty() || keys.size() > MOST_KEYS || keys.size() * DEPTH > this.gone.size()) {
			return null;
		}
		long width = Collections.max(this.gone) - Collections.min(this.gone) + 1;
		long times = Math.min(FARTHEST, (this.settings.batchSize() + this.gone.size() - 1) / this.gone.size());
		int limit = this.settings.batchSize() * 2;
		long first = window.candidates().stream().mapToLong(this::firstLeft).min().orElseThrow();
		long end = window.end() + width * times;
		boolean dense = width <= (long) PASSING * this.gone.size() && end - first < (long) PASSING * limit;
		List<Row> rows = look(dense, keys, first, end, limit);
		Window further = Window.ofKeys(window.seenAt(), rows, window.start(), end, this.settings);
		// With more, some keys would have it all
		boolean all = rows.size() < limit;
		boolean worthIt = Candidate.messages(further.candidates()) * PART >= this.settings.batchSize();
		return (all && worthIt) ? levelled(further) : null;
	}

	// Nobody else looks for the keys of a worker as long as it has them: with long runs
	// of some it would lose the others
	private Window levelled(Window window) {
		return window.with(Candidate.levelled(window.candidates(), this.settings));
	}

	private List<Row> look(boolean inPassing, Set<String> keys, long first, long end, int limit) {
		List<Object> arguments = new ArrayList<>(keys);
		// Few different statements, for caches of prepared ones
		while (Integer.bitCount(arguments.size()) > 1) {
			arguments.add(arguments.get(0));
		}
		OutboxStatements statements = this.database.statements();
		String sql = inPassing ? statements.lookAmong(arguments.size()) : statements.lookAt(arguments.size());
		arguments.addAll(List.of(first, end, limit));
		List<Row> rows = this.database.rows(this.settings.lockTimeout(), sql, arguments.toArray());
		return rows.stream().sorted(Comparator.comparing(Row::id)).toList();
	}

	// From behind what is gone, or will be in a moment: before that there is nothing of
	// these keys, nor will there be. Not from where the window ended: a key may have
	// ended earlier in it, and what has been committed behind that may lie within
	private long firstLeft(Candidate run) {
		return run.rows()
			.stream()
			.mapToLong(Row::id)
			.filter((id) -> !this.gone.contains(id))
			.findFirst()
			.orElse(run.lastId() + 1);
	}

}
