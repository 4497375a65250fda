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

	private final Set<String> seenKeys = new HashSet<>();

	private final Set<Long> seenIds = new HashSet<>();

	private final @Nullable Round<String> keys;

	private final Round<Long> unbound;

	private final int pageSize;

	/**
	 * A tour.
	 * @param keys through the keys, {@code null} if no order is kept
	 * @param unbound through all that is bound to no order
	 */
	Tour(Window window, @Nullable Round<String> keys, Round<Long> unbound, int pageSize) {
		window.rows().forEach((row) -> {
			this.seenKeys.add(row.partitionKey());
			this.seenIds.add(row.id());
		});
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
			rows.removeIf((row) -> this.seenKeys.contains(row.partitionKey()));
		}
		if (!this.unbound.isOver()) {
			this.unbound.nextPage(this.pageSize)
				.stream()
				.filter((row) -> !this.seenIds.contains(row.id()))
				.forEach(rows::add);
		}
		return rows;
	}

}
