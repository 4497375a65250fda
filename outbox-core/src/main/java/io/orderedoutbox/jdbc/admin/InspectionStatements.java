package io.orderedoutbox.jdbc.admin;

import java.util.List;
import java.util.stream.Collectors;

import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.jdbc.OutboxDatabase;

import static io.orderedoutbox.jdbc.SqlFragments.BY_ID;
import static io.orderedoutbox.jdbc.SqlFragments.LOOK;
import static io.orderedoutbox.jdbc.SqlFragments.MICROS;
import static io.orderedoutbox.jdbc.SqlFragments.NOW;
import static io.orderedoutbox.jdbc.admin.ParkedKeyFragments.BLOCKED;
import static io.orderedoutbox.jdbc.admin.ParkedKeyFragments.SINCE;
import static io.orderedoutbox.jdbc.admin.ParkedKeyFragments.STUCK;

/**
 * The statements that only look, with the names of the tables filled in. None of them
 * locks, MySQL gives each of them up that takes long, and none reads more than it is told
 * to: the outbox has no index by name, by message id or by time, and so a range of it is
 * looked at, of which the caller has first found the end.
 */
final class InspectionStatements {

	private static final String SUMMARY = """
			%1$s.id, %1$s.message_id, %1$s.name, %1$s.partition_key, %1$s.exchange, %1$s.routing_key, %1$s.attempts,
			%1$s.last_error, %2$s AS created""";

	private final OutboxDatabase database;

	private final boolean ordered;

	private final String message;

	private final String byPosition;

	private final String isDue;

	/** For how long the oldest message has been there. */
	final String oldest;

	/** The position of a message among the heads of some parked keys. */
	final String locateHead;

	/** The position of a message in a range. */
	final String locate;

	/** A message with what it carries. */
	final String content;

	/** A dead letter with what it carries. */
	final String deadContent;

	InspectionStatements(OutboxDatabase database, boolean ordered) {
		this.database = database;
		this.ordered = ordered;
		String prefix = database.tablePrefix();
		this.message = prefix + "message";
		this.byPosition = "FORCE INDEX (%s_id)".formatted(this.message);
		String parked = prefix + "parked";
		String isParked = """
				EXISTS (SELECT 1 FROM %1$s p FORCE INDEX (%1$s_key) WHERE p.partition_id = m.lane
				AND p.key_hash = CRC32(m.partition_key) AND p.partition_key = m.partition_key AND p.available_at > %2$s)"""
			.formatted(parked, NOW);
		String isFree = ordered ? "(m.partition_key = '' OR NOT %s)".formatted(isParked) : "TRUE";
		this.isDue = "IF(m.lane < 0, (SELECT p.available_at FROM %s p %s WHERE p.lane = m.lane) <= %s, %s)"
			.formatted(parked, BY_ID, NOW, isFree);
		String age = "TIMESTAMPDIFF(MICROSECOND, m.created_at, %s)".formatted(NOW);
		this.oldest = LOOK + "%s FROM %s m %s ORDER BY m.id LIMIT 1".formatted(age, this.message, this.byPosition);
		this.locateHead = LOOK + """
				m.id FROM (SELECT lane FROM %s %s WHERE lane < 0 ORDER BY lane DESC LIMIT ?) k %s
				WHERE m.message_id = ? LIMIT 1""".formatted(parked, BY_ID, ParkedKeyFragments.joinHead(prefix));
		this.locate = LOOK + """
				m.id FROM %s m %s WHERE m.id > ? AND m.id <= ? AND m.message_id = ? ORDER BY m.id LIMIT 1"""
			.formatted(this.message, this.byPosition);
		String isStuck = "(k.lane IS NOT NULL AND %s AND m.id = %s)".formatted(STUCK,
				ParkedKeyFragments.head(prefix, "m.lane"));
		this.content = """
				%1$s, m.content_type, m.headers, LEFT(m.payload, ?) AS payload, m.payload_size AS size,
				CASE WHEN NOT %2$s THEN IF(%3$s, 'DUE', 'PENDING') WHEN %4$s THEN 'BLOCKED' ELSE 'STALLED' END AS state,
				IF(%2$s, %5$s, NULL) AS since, IF(%2$s AND NOT %4$s, %6$s, NULL) AS retry
				FROM %7$s m %8$s LEFT JOIN %9$s k %10$s ON k.lane = m.lane WHERE m.id = ?""".formatted(summary("m"),
				isStuck, this.isDue, BLOCKED, MICROS.formatted(SINCE), MICROS.formatted("k.available_at"), this.message,
				this.byPosition, parked, BY_ID);
		String deadLetter = prefix + "dead_letter";
		this.deadContent = """
				%s, d.content_type, d.headers, LEFT(d.payload, ?) AS payload, LENGTH(d.payload) AS size, 'DEAD' AS state,
				%s AS since, NULL AS retry FROM %s d FORCE INDEX (%s_message) WHERE d.message_id = ?
				ORDER BY d.id DESC LIMIT 1"""
			.formatted(summary("d"), MICROS.formatted("d.dead_at"), deadLetter, deadLetter);
	}

	/**
	 * Whether all that is selected is of one key whose order is kept.
	 */
	boolean isOfOneKey(MessageSelection selection) {
		return ParkedKeyFragments.isOfOneKey(selection, this.ordered);
	}

	/**
	 * The lanes of a key that is parked.
	 */
	String parkedLanes(String partitionKey) {
		return LOOK + "k.lane FROM %s WHERE k.partition_key = ?"
			.formatted(ParkedKeyFragments.ofKey(this.database, partitionKey));
	}

	/**
	 * How many messages there are behind a position, up to a limit, and the position of
	 * the last of these.
	 * @param lanes the lanes to look at, nothing for all
	 */
	String range(List<Long> lanes, long after, int limit) {
		return LOOK + "COUNT(*) AS looked, MAX(id) AS last FROM (%s) w"
			.formatted(rows("m.id", "TRUE", lanes, after, Long.MAX_VALUE, limit));
	}

	/**
	 * The messages of a range that have not failed, or those that are due. It binds the
	 * value of the selection for each lane.
	 * @param lanes the lanes to look at, nothing for all
	 */
	String list(MessageSelection selection, boolean due, List<Long> lanes, long after, long last, int limit) {
		String condition = condition("m", selection) + " AND " + (due ? this.isDue : "m.failed_at IS NULL");
		return LOOK + "* FROM (%s) w ORDER BY id".formatted(rows(columns("m"), condition, lanes, after, last, limit));
	}

	private String rows(String columns, String condition, List<Long> lanes, long after, long last, int limit) {
		String select = "SELECT %s FROM %s m %%s WHERE %%s m.id > %d AND m.id <= %d AND %s ORDER BY m.id LIMIT %d"
			.formatted(columns, this.message, after, last, condition, limit);
		if (lanes.isEmpty()) {
			return select.formatted(this.byPosition, "");
		}
		return lanes.stream()
			.map((lane) -> "(" + select.formatted(BY_ID, "m.lane = %d AND".formatted(lane)) + ")")
			.collect(Collectors.joining(" UNION ALL ", "", " ORDER BY id LIMIT " + limit));
	}

	static String summary(String alias) {
		return LOOK + columns(alias);
	}

	private static String columns(String alias) {
		return SUMMARY.formatted(alias, MICROS.formatted(alias + ".created_at"));
	}

	static String condition(String alias, MessageSelection selection) {
		return switch (selection.by()) {
			case MESSAGE_ID -> alias + ".message_id = ?";
			case PARTITION_KEY -> alias + ".partition_key = ?";
			case NAME -> alias + ".name = ?";
			case NOTHING -> "TRUE";
		};
	}

}
