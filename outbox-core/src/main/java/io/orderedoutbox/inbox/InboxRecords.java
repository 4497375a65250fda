package io.orderedoutbox.inbox;

import java.sql.Connection;
import java.time.Duration;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The statements on the table of the inbox. Whatever a session is set to, they mean the
 * same: text travels in Base64, and all times are those of the database.
 */
final class InboxRecords {

	private final JdbcTemplate jdbc;

	private final String insert;

	private final String find;

	private final String countOld;

	private final String deleteOld;

	private final String lock;

	private final String release;

	private final String probe;

	private final String distinct;

	InboxRecords(JdbcTemplate jdbc, String table) {
		this.jdbc = jdbc;
		this.insert = """
				INSERT INTO %s (consumer, message_id, processing_id, processed_at)
				VALUES (FROM_BASE64(?), FROM_BASE64(?), ?, UTC_TIMESTAMP(6))""".formatted(table);
		this.find = """
				SELECT COUNT(*) FROM %s WHERE consumer = CONVERT(FROM_BASE64(?) USING ascii)
				AND message_id = CONVERT(FROM_BASE64(?) USING utf8mb4) AND processing_id = ?""".formatted(table);
		String old = "WHERE processed_at < TIMESTAMPADD(MICROSECOND, ?, UTC_TIMESTAMP(6))";
		this.countOld = "SELECT COUNT(*) FROM %s %s".formatted(table, old);
		this.deleteOld = "DELETE FROM %s %s ORDER BY processed_at LIMIT ?".formatted(table, old);
		String name = "CONCAT('inbox:', LEFT(SHA2(CONCAT(COALESCE(DATABASE(), ''), '.%s'), 256), 40))".formatted(table);
		this.lock = "SELECT GET_LOCK(%s, 0)".formatted(name);
		this.release = "SELECT RELEASE_LOCK(%s)".formatted(name);
		this.probe = "SELECT consumer, message_id, processing_id, processed_at FROM %s LIMIT 0".formatted(table);
		// Different ids must be different to the database: upper and lower case, trailing
		// spaces
		this.distinct = """
				SELECT COUNT(*) FROM information_schema.statistics s JOIN information_schema.columns c
				ON c.table_schema = s.table_schema AND c.table_name = s.table_name AND c.column_name = s.column_name
				WHERE s.table_schema = DATABASE() AND s.table_name = '%s' AND s.index_name = 'PRIMARY'
				AND (s.column_name = 'consumer' OR c.data_type = 'varbinary'
				OR c.collation_name IN ('utf8mb4_0900_bin', 'utf8mb4_nopad_bin'))""".formatted(table);
	}

	/**
	 * Store that a message was processed. Waits for another transaction that is about to
	 * store the same.
	 * @return whether it was not there
	 */
	boolean insert(InboxRecord inboxRecord) {
		try {
			this.jdbc.update(this.insert, parameters(inboxRecord));
			return true;
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
		return Integer.valueOf(1).equals(this.jdbc.queryForObject(this.find, Integer.class, parameters(inboxRecord)));
	}

	private static Object[] parameters(InboxRecord inboxRecord) {
		return new Object[] { EncodedText.of(inboxRecord.consumer()), EncodedText.of(inboxRecord.messageId()),
				inboxRecord.processingId() };
	}

	long countOlderThan(Duration age) {
		Long count = this.jdbc.queryForObject(this.countOld, Long.class, micros(age));
		return (count != null) ? count : 0;
	}

	int deleteOlderThan(Duration age, int most) {
		return this.jdbc.update(this.deleteOld, micros(age), most);
	}

	private static long micros(Duration age) {
		return -age.toNanos() / 1_000;
	}

	/** Take the lock of those that delete, unless another session has it. */
	boolean tryLock() {
		return Integer.valueOf(1).equals(this.jdbc.queryForObject(this.lock, Integer.class));
	}

	void release() {
		this.jdbc.queryForObject(this.release, Integer.class);
	}

	/** How the database is called. */
	String product() {
		return String
			.valueOf(this.jdbc.execute((Connection connection) -> connection.getMetaData().getDatabaseProductName()));
	}

	/**
	 * Look whether the table is there.
	 * @return whether different ids are different to it
	 */
	boolean check() {
		this.jdbc.query(this.probe, (row) -> {
		});
		return Integer.valueOf(2).equals(this.jdbc.queryForObject(this.distinct, Integer.class));
	}

}
