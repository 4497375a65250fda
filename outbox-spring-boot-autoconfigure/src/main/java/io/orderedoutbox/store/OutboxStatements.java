package io.orderedoutbox.store;

import java.util.Collections;

/**
 * The statements of publishers and relays, with the names of the tables filled in.
 * <p>
 * Lists of ids are handed over as one JSON array and joined, never as {@code IN (…)},
 * which is for keys: the optimizer turns a list that covers much of a small table into a
 * full scan, which then locks or waits for rows that are not ours. {@code STRAIGHT_JOIN}
 * makes each id a lookup by primary key, in the order of the array; {@code FORCE INDEX}
 * keeps it one where the table has so few rows that reading them all would be cheaper.
 * The oldest row of a key is found by {@code ORDER BY partition_key, id}: by id alone
 * MySQL reads all rows of the key and sorts them, since it does not see that the key of a
 * correlated subquery is constant.
 */
final class OutboxStatements {

	static final String IDS = "JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$')) w";

	static final String WHOLE_ROW = """
			m.id, m.message_id, m.name, m.partition_key, m.exchange, m.routing_key, m.content_type, m.payload,
			m.headers, m.attempts, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', m.created_at), m.failed_at IS NOT NULL""";

	static final String BY_ID = "FORCE INDEX (PRIMARY)";

	static final String NOW = "UTC_TIMESTAMP(6)";

	/** When a blocked message is due. */
	static final String NEVER = "'9999-12-31'";

	private static final String KEPT_VALUES = "?, ?, ?, ?, ?, ?, ?, ?, %s, %s".formatted(NOW, NOW);

	// MySQL's driver would write bytes as hexadecimal digits, one at a time
	private static final String VALUES = "?, ?, ?, ?, ?, ?, FROM_BASE64(?), ?, %s, %s".formatted(NOW, NOW);

	private static final String ROW = "(" + VALUES + ")";

	private final Dialect dialect;

	private final boolean archiving;

	/** Locks stripes in the order given. */
	final String lockStripes;

	/** The beginning of an INSERT, to be followed by rows. */
	private final String insert;

	/**
	 * Locks a stripe and inserts one row. The position is taken when the row is inserted,
	 * which is after the stripe was read and locked.
	 */
	final String lockAndInsert;

	/** The same for {@link KeptStatements}, with the payload as bytes. */
	final String keptLockAndInsert;

	/** Inserts one row, for {@link KeptStatements}, with the payload as bytes. */
	final String keptInsert;

	/** A window over the oldest rows, without their payload. */
	final String look;

	/** The rows of some keys in a range, by the index of the keys. */
	private final String lookAt;

	/** The same in passing, where these keys have a good part of all rows. */
	private final String lookAmong;

	/** The last position that was taken. */
	final String newest;

	/** The heads of the next keys in key order: a loose scan of the index. */
	final String lookForHeads;

	/** The next rows without a key. */
	final String lookForKeyless;

	/**
	 * Who claims, whether the claim can be completed, and what time it is. Without the
	 * archive, what is sent could not be completed either; whoever asks for it keeps it
	 * from being dropped meanwhile.
	 */
	final String identify;

	/** Locks those of the given rows that are due and that nobody else holds. */
	final String lock;

	/** The same, and reads the whole of what it locks. */
	final String lockAndLoad;

	/** Those of the given rows that are the oldest of their key. */
	final String verify;

	/** Whole rows. As many as there are positions: what locks them takes a limit too. */
	final String load;

	/**
	 * Whether so many rows of a key are in a range, and none in another range has failed.
	 */
	final String isUntouched;

	/** Deletes the given rows. */
	final String delete;

	/** What takes rows without a gap between them. */
	final StretchStatements stretches;

	/** Sets back those of the given messages that were not sent. */
	final String fail;

	/** Adds messages to the list of those that have failed. */
	final String enlist;

	/** Takes messages off that list. */
	final String strike;

	/** Copies messages to the dead letters. */
	final String bury;

	/** Copies messages that were published to the archive. */
	final String archive;

	/** Every column and every index of the archive. */
	final String probeArchive;

	OutboxStatements(Dialect dialect, String prefix, boolean archiving) {
		this.dialect = dialect;
		this.archiving = archiving;
		String message = prefix + "message";
		String keyIndex = "FORCE INDEX (" + message + "_key)";
		this.lockStripes = """
				SELECT s.id FROM %s STRAIGHT_JOIN %sstripe s %s ON s.id = w.id %s""".formatted(IDS, prefix, BY_ID,
				dialect.lockOf("s"));
		String insert = """
				INSERT INTO %s (message_id, name, partition_key, exchange, routing_key, content_type, payload, headers,
				created_at, available_at)\s""".formatted(message);
		this.insert = insert + "VALUES ";
		String lockAndInsert = insert
				+ "SELECT %%s FROM %sstripe s %s WHERE s.id = ? FOR UPDATE".formatted(prefix, BY_ID);
		this.lockAndInsert = lockAndInsert.formatted(VALUES);
		this.keptLockAndInsert = lockAndInsert.formatted(KEPT_VALUES);
		this.keptInsert = insert + "VALUES (" + KEPT_VALUES + ")";
		this.look = """
				SELECT id, partition_key, payload_size, available_at <= %s AS due
				FROM %s WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?""".formatted(NOW, message);
		this.lookAt = """
				SELECT id, partition_key, payload_size, available_at <= %s AS due FROM %s %s
				WHERE partition_key IN (%%s) AND id BETWEEN ? AND ? ORDER BY partition_key, id LIMIT ?""".formatted(NOW,
				message, keyIndex);
		this.lookAmong = """
				SELECT id, partition_key, payload_size, available_at <= %s AS due FROM %s %s
				WHERE partition_key IN (%%s) AND id BETWEEN ? AND ? ORDER BY id LIMIT ?""".formatted(NOW, message,
				BY_ID);
		this.newest = "SELECT id FROM %s %s WHERE id > 0 ORDER BY id DESC LIMIT 1".formatted(message, BY_ID);
		this.lookForHeads = """
				SELECT m.id, m.partition_key, m.payload_size, m.available_at <= %s AS due
				FROM (SELECT partition_key, MIN(id) AS id FROM %s WHERE partition_key > ?
				GROUP BY partition_key ORDER BY partition_key LIMIT ?) w
				STRAIGHT_JOIN %s m ON m.id = w.id""".formatted(NOW, message, message);
		this.lookForKeyless = """
				SELECT id, partition_key, payload_size, available_at <= %s AS due
				FROM %s %s WHERE partition_key = '' AND id > ? ORDER BY id LIMIT ?""".formatted(NOW, message, keyIndex);
		String locking = """
				FROM %s STRAIGHT_JOIN %s m %s ON m.id = w.id
				WHERE m.available_at <= %s LIMIT ? %s SKIP LOCKED""".formatted(IDS, message, BY_ID, NOW,
				dialect.lockOf("m"));
		this.lock = "SELECT m.id " + locking;
		this.lockAndLoad = "SELECT " + WHOLE_ROW + " " + locking;
		this.verify = """
				SELECT m.id FROM %s STRAIGHT_JOIN %s m ON m.id = w.id
				WHERE m.id = (SELECT e.id FROM %s e %s WHERE e.partition_key = m.partition_key ORDER BY e.partition_key, e.id LIMIT 1)"""
			.formatted(IDS, message, message, keyIndex);
		this.load = """
				SELECT %s FROM %s STRAIGHT_JOIN %s m ON m.id = w.id LIMIT ?""".formatted(WHOLE_ROW, IDS, message);
		this.isUntouched = """
				SELECT (SELECT COUNT(*) FROM %s e %s WHERE e.partition_key = ? AND e.id BETWEEN ? AND ?) = ?
				AND NOT EXISTS (SELECT 1 FROM %sfailed f %s WHERE f.id BETWEEN ? AND ?)""".formatted(message, keyIndex,
				prefix, BY_ID);
		this.delete = """
				DELETE m FROM %s STRAIGHT_JOIN %s m %s ON m.id = w.id""".formatted(IDS, message, BY_ID);
		this.stretches = new StretchStatements(message);
		this.fail = """
				UPDATE JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$.id', attempt INT PATH '$.attempt',
				delay BIGINT PATH '$.delay', error VARCHAR(1000) CHARACTER SET utf8mb4 PATH '$.error')) w
				STRAIGHT_JOIN %s m %s ON m.id = w.id
				SET m.attempts = m.attempts + w.attempt, m.last_error = w.error, m.failed_at = %s,
				m.available_at = IF(w.delay IS NULL, %s, TIMESTAMPADD(MICROSECOND, w.delay, %s))""".formatted(message,
				BY_ID, NOW, NEVER, NOW);
		this.enlist = """
				INSERT INTO %sfailed (id) SELECT w.id FROM %s ON DUPLICATE KEY UPDATE id = w.id""".formatted(prefix,
				IDS);
		this.strike = "DELETE f FROM %s STRAIGHT_JOIN %sfailed f %s ON f.id = w.id".formatted(IDS, prefix, BY_ID);
		this.bury = """
				INSERT INTO %sdead_letter (position, message_id, name, partition_key, exchange, routing_key, content_type, payload,
				headers, created_at, attempts, last_error, failed_at, dead_at)
				SELECT m.id, m.message_id, m.name, m.partition_key, m.exchange, m.routing_key, m.content_type, m.payload,
				m.headers, m.created_at, m.attempts, m.last_error, m.failed_at, %s
				FROM %s STRAIGHT_JOIN %s m %s ON m.id = w.id"""
			.formatted(prefix, NOW, IDS, message, BY_ID);
		this.archive = """
				INSERT INTO %sarchive (position, message_id, name, partition_key, exchange, routing_key, content_type, payload,
				payload_size, headers, created_at, attempts, last_error, published_at)
				SELECT m.id, m.message_id, m.name, m.partition_key, m.exchange, m.routing_key, m.content_type, m.payload,
				m.payload_size, m.headers, m.created_at, m.attempts, m.last_error, %s
				FROM %s STRAIGHT_JOIN %s m %s ON m.id = w.id"""
			.formatted(prefix, NOW, IDS, message, BY_ID);
		this.probeArchive = """
				SELECT id, position, message_id, name, partition_key, exchange, routing_key, content_type, payload, payload_size,
				headers, created_at, attempts, last_error, published_at FROM %1$sarchive
				FORCE INDEX (PRIMARY, %1$sarchive_message, %1$sarchive_key, %1$sarchive_name, %1$sarchive_published) WHERE id = 0"""
			.formatted(prefix);
		this.identify = """
				SELECT CONNECTION_ID() AS id, %s AS server, @@GLOBAL.read_only AS read_only,
				TIMESTAMPDIFF(MICROSECOND, '1970-01-01', %s) AS store_time%s""".formatted(dialect.server(), NOW,
				archiving ? ", EXISTS (" + this.probeArchive + ") AS archive" : "");
	}

	Dialect dialect() {
		return this.dialect;
	}

	/**
	 * Whether what was published is kept.
	 */
	boolean isArchiving() {
		return this.archiving;
	}

	String lookAt(int keys) {
		return withKeys(this.lookAt, keys);
	}

	String lookAmong(int keys) {
		return withKeys(this.lookAmong, keys);
	}

	private static String withKeys(String statement, int keys) {
		return statement.formatted(String.join(", ", Collections.nCopies(keys, "?")));
	}

	String insert(int rows) {
		return this.insert + String.join(", ", Collections.nCopies(rows, ROW));
	}

}
