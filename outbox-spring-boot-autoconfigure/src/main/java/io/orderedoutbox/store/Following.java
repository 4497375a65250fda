package io.orderedoutbox.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * What a worker goes on with when a claim is completed, before it looks at the oldest
 * messages again.
 * <ol>
 * <li>What the window of that claim shows of the same keys.</li>
 * <li>Where others had most of that window, the same keys further on. The oldest messages
 * would show little but what others have in their hands, and of many workers each would
 * read all of it to find what it has just left.</li>
 * <li>Only a few times in a row, and for a few seconds: as long as everybody keeps his
 * keys, nobody serves those that are in nobody's hands.</li>
 * </ol>
 * A window that shows some keys only is complete for those from where it starts, as any
 * other is, and is claimed like any other: somebody else may have been quicker. Where
 * snapshots are not atomic a window is looked at twice, which takes its whole range; so
 * nobody goes further there.
 */
final class Following {

	static final int MOST_IN_A_ROW = 4;

	private static final long LONGEST = Duration.ofSeconds(2).toNanos();

	// With fewer messages of each key there is little to find further on
	private static final int DEPTH = 2;

	// A part of a batch that is worth it, and how far to go at most to find a whole one,
	// beside how far the window went
	private static final int PART = 8;

	private final OutboxDatabase database;

	private final ClaimSettings settings;

	private @Nullable Window completed;

	private Collection<Long> gone = List.of();

	private boolean contested;

	private int inARow;

	Following(OutboxDatabase database, ClaimSettings settings) {
		this.database = database;
		this.settings = settings;
	}

	/**
	 * A claim is completed.
	 * @param portion that it was taken from
	 * @param published what is gone of it
	 * @param held whether somebody else had most of the portion
	 */
	void completed(Window portion, Collection<Long> published, boolean held) {
		this.completed = portion;
		this.gone = published;
		this.contested = held || this.inARow > 0;
	}

	/**
	 * What follows, or null if it is time to look at the oldest messages.
	 */
	@Nullable Window next() {
		Window last = this.completed;
		this.completed = null;
		Window left = (last != null) ? last.after(this.gone, this.settings) : null;
		if (left != null && !left.isOld() && this.settings.isEnough(left.candidates())) {
			return left;
		}
		Window further = (last != null && this.contested && mayGoFurther(last)) ? further(last) : null;
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
		return last.full() && this.inARow < MOST_IN_A_ROW && System.nanoTime() - last.seenAt() < LONGEST;
	}

	private @Nullable Window further(Window window) {
		Set<Long> ids = new HashSet<>(this.gone);
		List<String> published = window.rows()
			.stream()
			.filter((row) -> ids.contains(row.id()) && !row.partitionKey().isEmpty())
			.map(Row::partitionKey)
			.toList();
		Set<String> keys = new HashSet<>(published);
		boolean seenInOrder = this.database.statements().dialect().hasAtomicSnapshots();
		if (!this.settings.ordered() || !seenInOrder || keys.isEmpty() || keys.size() * DEPTH > published.size()) {
			return null;
		}
		long width = window.end() - window.firstId() + 1;
		long times = Math.min(PART, 1 + this.settings.batchSize() / published.size());
		Window further = look(keys, window, window.end() + width * times);
		return (Candidate.messages(further.candidates()) * PART >= this.settings.batchSize()) ? further : null;
	}

	// From the same start: what was seen of a key ends earlier than the window did, and
	// what has been committed behind it may lie within
	private Window look(Set<String> keys, Window window, long end) {
		List<Object> arguments = new ArrayList<>(keys);
		// Few different statements, for caches of prepared ones
		while (Integer.bitCount(arguments.size()) > 1) {
			arguments.add(arguments.get(0));
		}
		String sql = this.database.statements().lookAt(arguments.size());
		arguments.addAll(List.of(window.start(), end, this.settings.batchSize() * 2));
		List<Row> rows = this.database.read(this.settings.lockTimeout(),
				(jdbc) -> jdbc.query(sql, Row.MAPPER, arguments.toArray()));
		List<Row> inOrder = rows.stream().sorted(Comparator.comparing(Row::id)).toList();
		return Window.ofKeys(window.seenAt(), inOrder, window.start(), end, this.settings);
	}

}
