package io.orderedoutbox.jdbc.claim;

import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.orderedoutbox.jdbc.Dialect;
import io.orderedoutbox.jdbc.MessageRow;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.SqlFragments;

import static io.orderedoutbox.jdbc.SqlFragments.BY_ID;
import static io.orderedoutbox.jdbc.SqlFragments.DELAYED;
import static io.orderedoutbox.jdbc.SqlFragments.IDS;
import static io.orderedoutbox.jdbc.SqlFragments.LOOK;
import static io.orderedoutbox.jdbc.SqlFragments.MICROS;
import static io.orderedoutbox.jdbc.SqlFragments.NEVER;
import static io.orderedoutbox.jdbc.SqlFragments.NOW;

/**
 * The statements of claims, with the names of the tables filled in.
 * <p>
 * Messages are read by ranges of the clustered primary key {@code (lane, id)}, without
 * locks, and changed by lists of their places.
 */
final class ClaimStatements {

	private static final String UNION = "\nUNION ALL ";

	// When a key is due: at the time of its head, or after microseconds, none for never
	private static final String DUE = "IF(%s, m.available_at, IF(w.delay IS NULL, %s, TIMESTAMPADD(MICROSECOND, w.delay, %s)))"
		.formatted(DELAYED, NEVER, NOW);

	private final Dialect dialect;

	private final String message;

	private final String parked;

	private final String partition;

	private final String columns;

	/** Locks those of the given partitions that no other claim owns. */
	final String lock;

	/** The lanes of the parked keys among keys given by partition and hash. */
	final String parkedKeys;

	/** The payloads of messages given by their places. */
	final String payloads;

	/** The destinations of messages given by their places. */
	final String destinations;

	/** Stores attempts and errors of messages that no other claim has tried meanwhile. */
	final String fail;

	/** Which of some messages no other transaction has locked. */
	final String free;

	/**
	 * Opens a lane for the key of each of the given heads. One of that number is there
	 * only if the tables were changed by hand: the key gets it.
	 */
	final String open;

	/** Moves messages to lanes that are there. */
	final String move;

	/** Says when lanes are due whose heads are the given ones. */
	final String postpone;

	ClaimStatements(OutboxDatabase database, ClaimSettings settings) {
		String prefix = database.tablePrefix();
		this.dialect = database.dialect();
		this.message = prefix + "message";
		this.parked = prefix + "parked";
		this.partition = prefix + "partition";
		// A large payload is read only if its message is sent
		this.columns = MessageRow.COLUMNS
			.formatted("IF(m.payload_size > %d, NULL, m.payload)".formatted(settings.maxInlinePayload()))
				+ ", m.lane, m.payload_size, NOT " + DELAYED;
		// Without the archive, what is sent could not be completed
		String archive = database.isArchiving() ? ", EXISTS (" + database.statements().probeArchive + ") AS archive"
				: "";
		this.lock = """
				SELECT p.id, p.retry_at IS NOT NULL AS parked, COALESCE(p.retry_at <= %s, FALSE) AS due,
				CONNECTION_ID() AS connection, %s AS server, @@GLOBAL.read_only AS read_only, %s AS store_time%s
				FROM %s STRAIGHT_JOIN %s p %s ON p.id = w.id %s SKIP LOCKED""".formatted(NOW, this.dialect.server(),
				MICROS.formatted(NOW), archive, IDS, this.partition, BY_ID, this.dialect.lockOf("p"));
		this.payloads = "SELECT m.id, m.payload FROM " + SqlFragments.messagesAtPlaces(this.message);
		this.parkedKeys = """
				SELECT k.partition_id, k.partition_key, k.lane
				FROM JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$[0]', hash BIGINT PATH '$[1]')) w
				STRAIGHT_JOIN %1$s k FORCE INDEX (%1$s_key) ON k.partition_id = w.id AND k.key_hash = w.hash"""
			.formatted(this.parked);
		this.destinations = "SELECT m.id, m.exchange, m.routing_key FROM "
				+ SqlFragments.messagesAtPlaces(this.message);
		this.free = "SELECT m.id FROM %s %s SKIP LOCKED".formatted(SqlFragments.messagesAtPlaces(this.message),
				this.dialect.lockOf("m"));
		// A driver may send what has quotes in it as bytes, which are no JSON
		this.fail = """
				UPDATE JSON_TABLE(CONVERT(? USING utf8mb4), '$[*]' COLUMNS (lane BIGINT PATH '$[0]', id BIGINT PATH '$[1]',
				attempt INT PATH '$[2]', error TEXT CHARACTER SET ascii PATH '$[3]', known INT PATH '$[4]')) w
				STRAIGHT_JOIN %s m %s ON m.lane = w.lane AND m.id = w.id AND m.attempts = w.known
				SET m.attempts = m.attempts + w.attempt, m.failed_at = %s,
				m.last_error = CONVERT(FROM_BASE64(w.error) USING utf8mb4)"""
			.formatted(this.message, BY_ID, NOW);
		this.open = """
				INSERT INTO %s (lane, partition_id, key_hash, partition_key, available_at, is_delayed)
				SELECT -m.id, m.lane, CRC32(m.partition_key), m.partition_key, %s, %s
				FROM JSON_TABLE(?, '$[*]' COLUMNS (lane BIGINT PATH '$[0]', id BIGINT PATH '$[1]', delay BIGINT PATH '$[2]')) w
				STRAIGHT_JOIN %s m %s ON m.lane = w.lane AND m.id = w.id
				ON DUPLICATE KEY UPDATE partition_id = VALUES(partition_id), key_hash = VALUES(key_hash),
				partition_key = VALUES(partition_key), available_at = VALUES(available_at), is_delayed = VALUES(is_delayed)"""
			.formatted(this.parked, DUE, DELAYED, this.message, BY_ID);
		this.move = """
				UPDATE JSON_TABLE(?, '$[*]' COLUMNS (lane BIGINT PATH '$[0]', id BIGINT PATH '$[1]', target BIGINT PATH '$[2]')) w
				STRAIGHT_JOIN %s k %s ON k.lane = w.target STRAIGHT_JOIN %s m %s ON m.lane = w.lane AND m.id = w.id
				SET m.lane = w.target"""
			.formatted(this.parked, BY_ID, this.message, BY_ID);
		this.postpone = """
				UPDATE JSON_TABLE(?, '$[*]' COLUMNS (lane BIGINT PATH '$[0]', id BIGINT PATH '$[1]', delay BIGINT PATH '$[2]')) w
				STRAIGHT_JOIN %s m %s ON m.lane = w.lane AND m.id = w.id STRAIGHT_JOIN %s k %s ON k.lane = w.lane
				SET k.available_at = %s, k.is_delayed = %s"""
			.formatted(this.message, BY_ID, this.parked, BY_ID, DUE, DELAYED);
	}

	/** The first rows of lanes from given positions on. */
	String read(Collection<Range> ranges) {
		return ranges.stream()
			.map((range) -> "(SELECT %s FROM %s m %s WHERE m.lane = %d AND m.id BETWEEN %d AND %d ORDER BY m.id LIMIT %d)"
				.formatted(this.columns, this.message, BY_ID, range.lane(), range.first(), range.last(), range.limit()))
			.collect(Collectors.joining(UNION));
	}

	/** The last position in each of some lanes. */
	String last(Collection<Integer> lanes) {
		return lanes.stream()
			.map((lane) -> "(SELECT lane, id FROM %s %s WHERE lane = %d ORDER BY id DESC LIMIT 1)"
				.formatted(this.message, BY_ID, lane))
			.collect(Collectors.joining(UNION));
	}

	/**
	 * The lanes of each of some partitions that are due, those first that have been due
	 * for longest.
	 */
	String dueLanes(Collection<Integer> partitions, int limit) {
		return partitions.stream()
			.map((id) -> """
					(SELECT partition_id, partition_key, lane FROM %1$s FORCE INDEX (%1$s_due)
					WHERE partition_id = %2$d AND available_at <= %3$s ORDER BY available_at, lane LIMIT %4$d)"""
				.formatted(this.parked, id, NOW, limit))
			.collect(Collectors.joining(UNION));
	}

	/**
	 * The server, then the partitions that have a parked key that is due, then those that
	 * have something from a given position on.
	 */
	String poll(Map<Integer, Long> from) {
		Stream<String> others = Stream.of(LOOK + "%s AS server, -1 AS lane".formatted(this.dialect.server()),
				"SELECT NULL, id FROM %s WHERE retry_at <= %s".formatted(this.partition, NOW));
		Stream<String> lanes = from.entrySet()
			.stream()
			.map((entry) -> "(SELECT NULL, lane FROM %s %s WHERE lane = %d AND id >= %d ORDER BY id LIMIT 1)"
				.formatted(this.message, BY_ID, entry.getKey(), entry.getValue()));
		// The limits of a session must not cut the poll
		return Stream.concat(others, lanes).collect(Collectors.joining(UNION)) + " LIMIT 1000000";
	}

	/**
	 * Rows of a lane.
	 *
	 * @param lane the lane
	 * @param first the lowest position
	 * @param last the highest position
	 * @param limit how many rows there are at most
	 */
	record Range(long lane, long first, long last, int limit) {

	}

}
