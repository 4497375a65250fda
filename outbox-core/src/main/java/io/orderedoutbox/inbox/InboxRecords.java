package io.orderedoutbox.inbox;

import java.time.Duration;
import java.util.function.Supplier;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.function.SingletonSupplier;

/**
 * The statements on the table of the inbox.
 */
final class InboxRecords {

	private final JdbcTemplate jdbc;

	private final String table;

	private final Supplier<InboxSql> sql;

	/**
	 * Create the statements. Nothing connects before the first of them is needed.
	 */
	InboxRecords(JdbcTemplate jdbc, String table) {
		this.jdbc = jdbc;
		this.table = table;
		this.sql = SingletonSupplier.of(() -> InboxSql.of(jdbc));
	}

	/**
	 * Store that a message was processed. Waits for another transaction that is about to
	 * store the same. What has been done in the transaction stays as it is.
	 * @return whether it was not there
	 */
	boolean insert(InboxRecord inboxRecord) {
		InboxSql sql = this.sql.get();
		String insert = sql.insert(this.table, "consumer, message_id, processing_id, processed_at",
				"%s, %s, ?, %s".formatted(sql.consumer(), sql.text(), sql.now()));
		try {
			return this.jdbc.update(insert, parameters(inboxRecord)) == 1;
		}
		catch (DuplicateKeyException ex) {
			return false;
		}
	}

	/**
	 * Look whether the transaction sees exactly this record: not one that another
	 * processing has stored for the same message.
	 */
	boolean exists(InboxRecord inboxRecord) {
		InboxSql sql = this.sql.get();
		return Integer.valueOf(1)
			.equals(this.jdbc
				.queryForObject(
						"SELECT COUNT(*) FROM %s WHERE consumer = %s AND message_id = %s AND processing_id = ?"
							.formatted(this.table, sql.consumer(), sql.text()),
						Integer.class, parameters(inboxRecord)));
	}

	private static Object[] parameters(InboxRecord inboxRecord) {
		return new Object[] { EncodedText.of(inboxRecord.consumer()), EncodedText.of(inboxRecord.messageId()),
				inboxRecord.processingId() };
	}

	long countOlderThan(Duration age) {
		Long count = this.jdbc.queryForObject(
				"SELECT COUNT(*) FROM %s WHERE %s".formatted(this.table, old(this.sql.get())), Long.class, micros(age));
		return (count != null) ? count : 0;
	}

	int deleteOlderThan(Duration age, int most) {
		InboxSql sql = this.sql.get();
		return this.jdbc.update(sql.deleteFirst(this.table, old(sql), "processed_at"), micros(age), most);
	}

	private static String old(InboxSql sql) {
		return "processed_at < " + sql.fromNow();
	}

	private static long micros(Duration age) {
		return -age.toNanos() / 1_000;
	}

	/** Take the lock of those that delete, unless another session has it. */
	boolean tryLock() {
		return Integer.valueOf(1).equals(this.jdbc.queryForObject(this.sql.get().tryLock(this.table), Integer.class));
	}

	void release() {
		this.jdbc.queryForObject(this.sql.get().release(this.table), Integer.class);
	}

	/**
	 * Look whether the table is there.
	 * @return whether different ids are different to it
	 */
	boolean check() {
		InboxSql sql = this.sql.get();
		this.jdbc.query(
				"SELECT consumer, message_id, processing_id, processed_at FROM %s LIMIT 0".formatted(this.table),
				(row) -> {
				});
		return Integer.valueOf(2).equals(this.jdbc.queryForObject(sql.distinct(this.table), Integer.class));
	}

}
