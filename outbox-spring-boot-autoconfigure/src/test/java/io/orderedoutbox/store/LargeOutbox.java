package io.orderedoutbox.store;

import java.util.List;

/**
 * An outbox with many messages: a thousand keys in turn, and one in twenty-one without a
 * key. One in a hundred is in the list of what has failed.
 * <p>
 * The statistics of its tables are those of empty tables until it is told to take new
 * ones: what a server knows in the first seconds of an outage.
 */
final class LargeOutbox implements AutoCloseable {

	static final int KEYS = 1_000;

	private static final int CHUNK = 100_000;

	private final OutboxTables tables = new OutboxTables();

	LargeOutbox(int messages) {
		execute("ALTER TABLE outbox_message STATS_PERSISTENT = 1, STATS_AUTO_RECALC = 0");
		execute("ALTER TABLE outbox_failed STATS_PERSISTENT = 1, STATS_AUTO_RECALC = 0");
		takeStatistics();
		for (int left = messages; left > 0; left -= CHUNK) {
			fill(Math.min(left, CHUNK));
		}
		execute("INSERT INTO outbox_failed SELECT id FROM outbox_message WHERE MOD(id, 100) = 0");
	}

	private void fill(int messages) {
		execute("""
				INSERT INTO outbox_message (message_id, name, partition_key, exchange, routing_key, content_type, payload,
				created_at, available_at)
				SELECT '01a1f9e6-108b-7474-9246-6dc61b7dc692', 'order.placed',
				IF(MOD(a.id * 1024 + b.id, %1$d) < %2$d, CONCAT('key-', MOD(a.id * 1024 + b.id, %1$d)), ''),
				'', 'nowhere', 'application/json', REPEAT('x', 400), UTC_TIMESTAMP(6), UTC_TIMESTAMP(6)
				FROM outbox_stripe a CROSS JOIN outbox_stripe b WHERE a.id * 1024 + b.id < %3$d
				ORDER BY a.id, b.id"""
			.formatted(KEYS + KEYS / 20, KEYS, messages));
	}

	void takeStatistics() {
		this.tables.jdbc().sql("ANALYZE TABLE outbox_message, outbox_stripe, outbox_failed").query().listOfRows();
	}

	private void execute(String sql) {
		this.tables.jdbc().sql(sql).update();
	}

	OutboxTables tables() {
		return this.tables;
	}

	/**
	 * The positions that a query returns.
	 */
	List<Long> positions(String query) {
		return this.tables.jdbc().sql(query).query(Long.class).list();
	}

	@Override
	public void close() {
		this.tables.close();
	}

}
