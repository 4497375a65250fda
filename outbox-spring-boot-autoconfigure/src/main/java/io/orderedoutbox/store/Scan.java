package io.orderedoutbox.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.springframework.jdbc.core.RowMapper;

/**
 * One worker's view over the oldest messages.
 * <p>
 * The window begins at a mark below which this worker has lately seen nothing, because
 * rows that were deleted but not yet purged make a scan from the very start slow. A
 * commit below the mark is late but not lost: the next full look finds it. Whoever uses
 * heads found above a mark must verify them.
 * <p>
 * Where the window shows too little that can be claimed, because it is full of keys that
 * are stalled or claimed by others, the scan goes on elsewhere: a page of heads in key
 * order and a page of rows without a key, each from where the last page ended, so that in
 * the end every key is served.
 */
final class Scan {

	private static final long FULL_LOOK_INTERVAL = Duration.ofSeconds(1).toNanos();

	// Batches: with more than one in view, a worker takes longer runs of fewer keys and
	// leaves keys to others
	private static final int LOOK_AHEAD = 4;

	private static final int MAX_GROWTH = 8;

	private static final RowMapper<Row> ROW = (rs, index) -> new Row(rs.getLong("id"), rs.getString("partition_key"),
			rs.getLong("payload_size"), rs.getBoolean("due"));

	private final OutboxDatabase database;

	private final ClaimSettings settings;

	private int size;

	private long mark;

	private long lastFullLook = System.nanoTime() - FULL_LOOK_INTERVAL;

	private String keyCursor = "";

	private long idCursor;

	Scan(OutboxDatabase database, ClaimSettings settings) {
		this.database = database;
		this.settings = settings;
		this.size = settings.batchSize() * LOOK_AHEAD;
	}

	/**
	 * A window over the outbox. Fewer rows than asked for mean that there are no more.
	 */
	Window look() {
		if (System.nanoTime() - this.lastFullLook >= FULL_LOOK_INTERVAL) {
			this.mark = 0;
		}
		Window window = lookFrom(this.mark);
		if (!window.full() && !window.fromStart()) {
			window = lookFrom(0);
		}
		this.mark = window.full() ? window.rows().get(0).id() : 0;
		return window;
	}

	/**
	 * Begin the next window at the very start.
	 */
	void forgetMark() {
		this.mark = 0;
	}

	private Window lookFrom(long start) {
		if (start == 0) {
			this.lastFullLook = System.nanoTime();
		}
		List<Row> rows = look(start, Long.MAX_VALUE, this.size);
		return new Window(rows, start, rows.size() == this.size);
	}

	/**
	 * The same window again, in a new snapshot.
	 */
	List<Row> lookAgain(Window window) {
		long last = window.rows().get(window.rows().size() - 1).id();
		return look(window.start(), last, Integer.MAX_VALUE);
	}

	private List<Row> look(long start, long end, int limit) {
		return query(this.database.statements().look, start, end, limit);
	}

	private List<Row> query(String sql, Object... arguments) {
		return this.database.read((jdbc) -> jdbc.query(sql, ROW, arguments));
	}

	/**
	 * A way through what the window does not show.
	 */
	Tour tour(Window window) {
		return new Tour(window);
	}

	/**
	 * Adapt the size of the window to how much of it could be claimed.
	 */
	void adapt(boolean enough) {
		int most = this.settings.batchSize() * MAX_GROWTH;
		this.size = enough ? Math.max(this.size / 2, this.settings.batchSize() * LOOK_AHEAD)
				: Math.min(this.size * 2, most);
	}

	/**
	 * Goes on, page by page, from where the last tour ended to the end. Each of its two
	 * ways ends by itself: they are not equally long.
	 */
	final class Tour {

		private final Set<String> seenKeys = new HashSet<>();

		private final Set<Long> seenIds = new HashSet<>();

		private boolean throughKeys = !Scan.this.settings.ordered();

		private boolean throughUnbound;

		private Tour(Window window) {
			window.rows().forEach((row) -> {
				this.seenKeys.add(row.partitionKey());
				this.seenIds.add(row.id());
			});
		}

		boolean isOver() {
			return this.throughKeys && this.throughUnbound;
		}

		/**
		 * Rows that begin a run, those that are not due among them.
		 */
		List<Row> nextPage() {
			List<Row> rows = new ArrayList<>();
			if (!this.throughKeys) {
				nextHeads().stream().filter((row) -> !this.seenKeys.contains(row.partitionKey())).forEach(rows::add);
			}
			if (!this.throughUnbound) {
				nextUnbound().stream().filter((row) -> !this.seenIds.contains(row.id())).forEach(rows::add);
			}
			return rows;
		}

		private List<Row> nextHeads() {
			int limit = Scan.this.settings.batchSize();
			List<Row> heads = query(Scan.this.database.statements().lookForHeads, Scan.this.keyCursor, limit);
			this.throughKeys = heads.size() < limit;
			Scan.this.keyCursor = this.throughKeys ? "" : heads.get(limit - 1).partitionKey();
			return heads;
		}

		// Rows bound to no order: those without a key, or simply all
		private List<Row> nextUnbound() {
			int limit = Scan.this.settings.batchSize();
			List<Row> rows = Scan.this.settings.ordered()
					? query(Scan.this.database.statements().lookForKeyless, Scan.this.idCursor, limit)
					: look(Scan.this.idCursor + 1, Long.MAX_VALUE, limit);
			this.throughUnbound = rows.size() < limit;
			Scan.this.idCursor = this.throughUnbound ? 0 : rows.get(limit - 1).id();
			return rows;
		}

	}

	/**
	 * Part of the outbox as one statement saw it.
	 *
	 * @param rows the rows in order
	 * @param start where it begins
	 * @param full whether there may be more behind it
	 */
	record Window(List<Row> rows, long start, boolean full) {

		boolean fromStart() {
			return this.start == 0;
		}

		long due() {
			return this.rows.stream().filter(Row::due).count();
		}

	}

}
