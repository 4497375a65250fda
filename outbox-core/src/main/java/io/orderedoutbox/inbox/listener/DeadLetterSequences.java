package io.orderedoutbox.inbox.listener;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import javax.sql.DataSource;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.inbox.EncodedText;
import io.orderedoutbox.inbox.InboxCheck;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The table of dead letters that others follow: which ones there are of each partition,
 * or partition key, in their order. The messages themselves are in the queue of dead
 * letters.
 * <p>
 * A key is parked while it has a row here. A row is stored before its message goes to the
 * queue, and removed after the message was processed.
 * <p>
 * Whatever a session is set to, the statements mean the same: text travels in Base64.
 */
public final class DeadLetterSequences {

	private static final String KEY = "shards = " + text() + " AND ordering_key = " + text();

	private static final int MOST = 10_000;

	private static final String LOOK = "SELECT /*+ MAX_EXECUTION_TIME(4000) SET_VAR(sql_big_selects = ON) */ ";

	private static final String AGE = "TIMESTAMPDIFF(MICROSECOND, oldest.created_at, UTC_TIMESTAMP(6)) AS age FROM ";

	static final String COUNTED = LOOK + "counted.parked, counted.letters, " + AGE + """
			(SELECT COUNT(DISTINCT ordering_key) AS parked, COUNT(*) AS letters, MIN(position) AS first FROM
			%2$s) counted LEFT JOIN %1$s oldest ON oldest.position = counted.first""";

	static final String HEADS = LOOK
			+ "TO_BASE64(oldest.ordering_key) AS parked, TO_BASE64(oldest.message_id) AS message_id, " + AGE + """
					(SELECT MIN(position) AS first FROM
					%2$s GROUP BY ordering_key ORDER BY first LIMIT 20) heads
					JOIN %1$s oldest ON oldest.position = heads.first ORDER BY oldest.position""";

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transactions;

	private final String table;

	/**
	 * Create it.
	 * @param dataSource where the table is
	 * @param table the name of the table
	 */
	public DeadLetterSequences(DataSource dataSource, String table) {
		JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
		this.jdbc = new JdbcTemplate(dataSource);
		this.transactions = new TransactionTemplate(manager);
		// Without gap locks: two keys do not wait for each other
		this.transactions.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
		this.table = table;
	}

	private static String text() {
		return "CONVERT(FROM_BASE64(?) USING utf8mb4)";
	}

	/**
	 * Check that the table is there. A database that cannot be reached is not checked.
	 * @throws OutboxConfigurationException if the table is missing
	 */
	public void check() {
		try {
			this.jdbc.query("SELECT position, shards, ordering_key, message_id, created_at FROM %s LIMIT 0"
				.formatted(this.table), (row) -> {
				});
		}
		catch (DataAccessResourceFailureException ex) {
			// The check of the inbox tells of it
			return;
		}
		catch (DataAccessException ex) {
			throw new OutboxConfigurationException(
					"The table of dead letters, '%s', is missing or not as it should be: %s.".formatted(this.table,
							ex.getMostSpecificCause().getMessage()),
					InboxCheck.REMEDY, ex);
		}
	}

	/** Return the keys that are parked now. */
	Set<String> keys(String shards) {
		List<String> keys = this.jdbc.queryForList(
				"SELECT DISTINCT TO_BASE64(ordering_key) FROM %s WHERE shards = %s".formatted(this.table, text()),
				String.class, EncodedText.of(shards));
		Set<String> decoded = ConcurrentHashMap.newKeySet();
		keys.forEach((key) -> decoded.add(EncodedText.decode(key)));
		return decoded;
	}

	/** Store a dead letter, unless it is there. */
	void add(String shards, String key, String messageId) {
		this.jdbc.update("""
				INSERT INTO %s (shards, ordering_key, message_id, created_at)
				VALUES (FROM_BASE64(?), FROM_BASE64(?), FROM_BASE64(?), UTC_TIMESTAMP(6))
				ON DUPLICATE KEY UPDATE created_at = created_at""".formatted(this.table), EncodedText.of(shards),
				EncodedText.of(key), EncodedText.of(messageId));
	}

	/**
	 * Store a dead letter behind those of its key, if there are any: either the last of
	 * them is not yet removed, or all of them have been processed.
	 * @return whether there are any
	 */
	boolean addBehind(String shards, String key, String messageId) {
		return Boolean.TRUE.equals(this.transactions.execute((status) -> {
			List<Long> positions = this.jdbc.queryForList(
					"SELECT position FROM %s WHERE %s LIMIT 1 FOR UPDATE".formatted(this.table, KEY), Long.class,
					EncodedText.of(shards), EncodedText.of(key));
			if (positions.isEmpty()) {
				return false;
			}
			add(shards, key, messageId);
			return true;
		}));
	}

	/** Return the first dead letter of a key, null if it has none. */
	@Nullable String first(String shards, String key) {
		List<String> ids = this.jdbc.queryForList(
				"SELECT TO_BASE64(message_id) FROM %s WHERE %s ORDER BY position LIMIT 1".formatted(this.table, KEY),
				String.class, EncodedText.of(shards), EncodedText.of(key));
		return ids.isEmpty() ? null : EncodedText.decode(ids.get(0));
	}

	/** Return whether a dead letter is there. */
	boolean contains(String shards, String key, String messageId) {
		return Integer.valueOf(1)
			.equals(this.jdbc.queryForObject(
					"SELECT COUNT(*) FROM %s WHERE %s AND message_id = %s".formatted(this.table, KEY, text()),
					Integer.class, EncodedText.of(shards), EncodedText.of(key), EncodedText.of(messageId)));
	}

	void remove(String shards, String key, String messageId) {
		this.jdbc.update("DELETE FROM %s WHERE %s AND message_id = %s".formatted(this.table, KEY, text()),
				EncodedText.of(shards), EncodedText.of(key), EncodedText.of(messageId));
	}

	/**
	 * Remove a dead letter, whatever its key is.
	 * @return how many there were
	 */
	int discard(String shards, String messageId) {
		return this.jdbc.update(
				"DELETE FROM %s WHERE shards = %s AND message_id = %s".formatted(this.table, text(), text()),
				EncodedText.of(shards), EncodedText.of(messageId));
	}

	/**
	 * Count the dead letters of some shards, up to {@value #MOST}, and find the first
	 * ones of the keys that are parked. Their index has all that is counted; of the table
	 * itself no more rows are read than there are such keys in the answer.
	 */
	SequenceFigures figures(String shards) {
		SequenceFigures counted = Objects.requireNonNull(this.jdbc.queryForObject(statement(COUNTED),
				DeadLetterSequences::figures, EncodedText.of(shards), MOST + 1));
		return (counted.deadLetters() > 0)
				? counted.with(
						this.jdbc.query(statement(HEADS), DeadLetterSequences::head, EncodedText.of(shards), MOST + 1))
				: counted;
	}

	String statement(String look) {
		return look.formatted(this.table, """
				(SELECT ordering_key, position FROM %s WHERE shards = %s
				ORDER BY ordering_key, position LIMIT ?) seen""".formatted(this.table, text()));
	}

	private static SequenceFigures figures(ResultSet row, int number) throws SQLException {
		long letters = row.getLong("letters");
		return new SequenceFigures(row.getLong("parked"), Math.min(letters, MOST), age(row), letters > MOST, List.of());
	}

	private static SequenceFigures.Head head(ResultSet row, int number) throws SQLException {
		return new SequenceFigures.Head(EncodedText.decode(row.getString("parked")),
				EncodedText.decode(row.getString("message_id")),
				Objects.requireNonNull(age(row), "the column is never null"));
	}

	private static @Nullable Duration age(ResultSet row) throws SQLException {
		long micros = row.getLong("age");
		return row.wasNull() ? null : Duration.of(Math.max(micros, 0), ChronoUnit.MICROS);
	}

}
