package io.orderedoutbox.store;

import java.util.Comparator;
import java.util.List;

import io.orderedoutbox.store.Round.Way;

/**
 * The ways through all that is in the outbox, and how far the {@link Tour tours} of an
 * instance have got on them: through the heads of all keys, and through the rows that are
 * bound to no order.
 */
final class Ways {

	private final OutboxDatabase database;

	private final ClaimSettings settings;

	private final Way<String> keys = new Way<>("", Row.KEY_ORDER, Row::partitionKey, this::heads);

	private final Way<Long> unbound = new Way<>(0L, Comparator.naturalOrder(), Row::id, this::unbound);

	Ways(OutboxDatabase database, ClaimSettings settings) {
		this.database = database;
		this.settings = settings;
	}

	/**
	 * Once around all of it, from where the last tour has got to.
	 * @param window what is known already
	 */
	Tour tour(Window window) {
		long newest = this.database
			.read(this.settings.lockTimeout(),
					(jdbc) -> jdbc.queryForList(this.database.statements().newest, Long.class))
			.stream()
			.findFirst()
			.orElse(0L);
		return new Tour(window, newest, this.settings.ordered() ? new Round<>(this.keys) : null,
				new Round<>(this.unbound), this.settings.batchSize());
	}

	private List<Row> heads(String key, int limit) {
		return query(this.database.statements().lookForHeads, key, limit);
	}

	// Those without a key, or simply all
	private List<Row> unbound(long id, int limit) {
		OutboxStatements statements = this.database.statements();
		return this.settings.ordered() ? query(statements.lookForKeyless, id, limit)
				: query(statements.look, id + 1, Long.MAX_VALUE, limit);
	}

	private List<Row> query(String sql, Object... arguments) {
		return this.database.rows(this.settings.lockTimeout(), sql, arguments);
	}

}
