package io.orderedoutbox.store;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * A search through what a window does not show: the heads of all keys in the order of the
 * keys, and all rows that are bound to no order. It is over when it has come round both
 * ways, which are not equally long.
 */
final class Tour {

	// By their ids: in a window that begins at a mark, a key may be seen and its head not
	private final Set<Long> seen = new HashSet<>();

	private final @Nullable Round<String> keys;

	private final Round<Long> unbound;

	private final int pageSize;

	private final long newest;

	private long oldestDue = Long.MAX_VALUE;

	/**
	 * A tour.
	 * @param window what is known already
	 * @param newest the last position that was taken when it began
	 * @param keys through the keys, {@code null} if no order is kept
	 * @param unbound through all that is bound to no order
	 * @param pageSize how many of each make a page
	 */
	Tour(Window window, long newest, @Nullable Round<String> keys, Round<Long> unbound, int pageSize) {
		window.rows().forEach((row) -> this.seen.add(row.id()));
		this.newest = newest;
		this.keys = keys;
		this.unbound = unbound;
		this.pageSize = pageSize;
	}

	boolean isOver() {
		return (this.keys == null || this.keys.isOver()) && this.unbound.isOver();
	}

	/**
	 * Rows that begin a run, those that are not due among them.
	 */
	List<Row> nextPage() {
		List<Row> rows = new ArrayList<>();
		if (this.keys != null && !this.keys.isOver()) {
			rows.addAll(this.keys.nextPage(this.pageSize));
		}
		if (!this.unbound.isOver()) {
			rows.addAll(this.unbound.nextPage(this.pageSize));
		}
		rows.stream().filter(Row::due).forEach((row) -> this.oldestDue = Math.min(this.oldestDue, row.id()));
		rows.removeIf((row) -> this.seen.contains(row.id()));
		return rows;
	}

	/**
	 * The first position that was not taken when it began, if it has come round and
	 * nothing before that position was due, not even in somebody's hands; otherwise zero.
	 */
	long unseen() {
		return (isOver() && this.oldestDue > this.newest) ? this.newest + 1 : 0;
	}

}
