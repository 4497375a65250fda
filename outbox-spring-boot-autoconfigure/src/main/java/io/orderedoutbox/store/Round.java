package io.orderedoutbox.store;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Once around everything that is in some order, page by page: from where the last one has
 * got to up to the end, and from the start to where it began. Whoever has come round has
 * seen all that was there all the time.
 *
 * @param <P> a position in that order
 */
final class Round<P> {

	private final Way<P> way;

	private final P begin;

	private P position;

	private boolean pastTheEnd;

	private boolean over;

	Round(Way<P> way) {
		this.way = way;
		this.begin = way.reached;
		this.position = this.begin;
	}

	/**
	 * The rows behind the last page.
	 */
	List<Row> nextPage(int limit) {
		List<Row> page = this.way.query.apply(this.position, limit);
		List<Row> rows = new ArrayList<>(page);
		if (this.pastTheEnd) {
			rows.removeIf(this::isBehindTheBegin);
		}
		boolean end = page.size() < limit;
		this.over = this.pastTheEnd ? (end || rows.size() < page.size()) : (end && isStart(this.begin));
		this.pastTheEnd |= end;
		this.position = end ? this.way.start : this.way.position.apply(page.get(limit - 1));
		this.way.reached = this.position;
		return rows;
	}

	private boolean isBehindTheBegin(Row row) {
		return this.way.order.compare(this.way.position.apply(row), this.begin) > 0;
	}

	private boolean isStart(P some) {
		return this.way.order.compare(some, this.way.start) <= 0;
	}

	boolean isOver() {
		return this.over;
	}

	/**
	 * An order, how to go along it, and how far the rounds of all have got.
	 *
	 * @param <P> a position in it
	 */
	static final class Way<P> {

		private final P start;

		private final Comparator<P> order;

		private final Function<Row, P> position;

		private final BiFunction<P, Integer, List<Row>> query;

		private volatile P reached;

		/**
		 * A way.
		 * @param start before everything
		 * @param order the order, as the database has it
		 * @param position of a row
		 * @param query so many rows behind a position
		 */
		Way(P start, Comparator<P> order, Function<Row, P> position, BiFunction<P, Integer, List<Row>> query) {
			this.start = start;
			this.order = order;
			this.position = position;
			this.query = query;
			this.reached = start;
		}

	}

}
