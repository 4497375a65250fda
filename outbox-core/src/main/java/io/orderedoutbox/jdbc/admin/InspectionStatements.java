package io.orderedoutbox.jdbc.admin;

import java.util.List;
import java.util.stream.Collectors;

import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.MessageState;
import io.orderedoutbox.admin.TimeRange;
import io.orderedoutbox.jdbc.OutboxDatabase;

import static io.orderedoutbox.jdbc.SqlFragments.BY_ID;
import static io.orderedoutbox.jdbc.SqlFragments.DELAYED;
import static io.orderedoutbox.jdbc.SqlFragments.LOOK;
import static io.orderedoutbox.jdbc.SqlFragments.MICROS;
import static io.orderedoutbox.jdbc.SqlFragments.NOW;
import static io.orderedoutbox.jdbc.SqlFragments.TEXT;
import static io.orderedoutbox.jdbc.admin.ParkedKeyFragments.BLOCKED;
import static io.orderedoutbox.jdbc.admin.ParkedKeyFragments.SINCE;
import static io.orderedoutbox.jdbc.admin.ParkedKeyFragments.STUCK;
import static io.orderedoutbox.jdbc.admin.SelectionFragments.condition;
import static io.orderedoutbox.jdbc.admin.SelectionFragments.during;
import static io.orderedoutbox.jdbc.admin.SelectionFragments.index;

/**
 * The statements that only look, with the names of the tables filled in. None of them
 * locks, MySQL gives each of them up that takes long, and none reads more than it is told
 * to: the outbox has no index by name, by message id or by time, and so a range of it is
 * looked at, of which the caller has first found the end.
 */
final class InspectionStatements {

	private static final String COLUMNS = """
			%2$s AS position, %1$s.message_id, %1$s.name, %1$s.partition_key, %1$s.exchange, %1$s.routing_key, %1$s.attempts,
			%1$s.last_error, %3$s AS created, %4$s AS state, %5$s AS since, %6$s AS retry, %7$s AS deliver""";

	private static final String STUCK_STATE = "IF(%s, 'BLOCKED', 'STALLED')".formatted(BLOCKED);

	private static final String RETRY_AT = "IF(%s, NULL, k.available_at)".formatted(BLOCKED);

	// Of a message that is still to be sent
	private static final String DELIVER_AT = "IF(%s, m.available_at, NULL)".formatted(DELAYED);

	private static final String DEAD_COLUMNS = columns("d", MessageState.DEAD, "d.dead_at");

	private final OutboxDatabase database;

	private final boolean ordered;

	private final String message;

	private final String deadLetter;

	private final String byPosition;

	private final String isDue;

	/** For how long the oldest message has been there. */
	final String oldest;

	/** The position of a message among the heads of some parked keys. */
	final String locateHead;

	/** The position of a message in a range. */
	final String locate;

	/** The messages that are stuck among the heads of some parked keys. */
	final String firstStuck;

	/** A message with what it carries. */
	final String content;

	/** A dead letter with what it carries. */
	final String deadContent;

	/** Counts the messages in a lane, up to a limit. */
	final String countLane;

	/** Counts the messages in the lane of the message at a position, up to a limit. */
	final String countLaneOf;

	/**
	 * How many parked keys there are behind a lane, up to a limit, and the lane of the
	 * last of these.
	 */
	final String rangeOfParkedKeys;

	InspectionStatements(OutboxDatabase database, boolean ordered) {
		this.database = database;
		this.ordered = ordered;
		String prefix = database.tablePrefix();
		this.message = prefix + "message";
		this.deadLetter = prefix + "dead_letter";
		this.byPosition = "FORCE INDEX (%s_id)".formatted(this.message);
		String parked = prefix + "parked";
		String isParked = """
				EXISTS (SELECT 1 FROM %1$s p FORCE INDEX (%1$s_key) WHERE p.partition_id = m.lane
				AND p.key_hash = CRC32(m.partition_key) AND p.partition_key = m.partition_key AND p.available_at > %2$s)"""
			.formatted(parked, NOW);
		String isTime = "NOT " + DELAYED;
		String isFree = ordered ? "(m.partition_key = '' OR NOT %s)".formatted(isParked) : "TRUE";
		this.isDue = "(%s AND IF(m.lane < 0, (SELECT p.available_at FROM %s p %s WHERE p.lane = m.lane) <= %s, %s))"
			.formatted(isTime, parked, BY_ID, NOW, isFree);
		String age = "TIMESTAMPDIFF(MICROSECOND, m.created_at, %s)".formatted(NOW);
		this.oldest = LOOK + "%s FROM %s m %s ORDER BY m.id LIMIT 1".formatted(age, this.message, this.byPosition);
		String firstHeads = ParkedKeyFragments.first(prefix, "lane, available_at, is_delayed") + " k "
				+ ParkedKeyFragments.joinHead(prefix);
		this.locateHead = LOOK + "m.id FROM %s WHERE m.message_id = ? LIMIT 1".formatted(firstHeads);
		this.firstStuck = LOOK
				+ "%s FROM %s WHERE %s".formatted(columns("-k.lane", STUCK_STATE, SINCE, RETRY_AT), firstHeads, STUCK);
		this.locate = LOOK + """
				m.id FROM %s m %s WHERE m.id > ? AND m.id <= ? AND m.message_id = ? ORDER BY m.id LIMIT 1"""
			.formatted(this.message, this.byPosition);
		String isStuck = "(k.lane IS NOT NULL AND %s AND m.id = %s)".formatted(STUCK,
				ParkedKeyFragments.head(prefix, "m.lane"));
		this.content = LOOK + "%s, %s FROM %s m %s LEFT JOIN %s k %s ON k.lane = m.lane WHERE m.id = ?".formatted(
				columns("m.id",
						"IF(%s, %s, IF(%s, 'DELAYED', IF(%s, 'DUE', 'PENDING')))".formatted(isStuck, STUCK_STATE,
								DELAYED, this.isDue),
						"IF(%s, %s, NULL)".formatted(isStuck, SINCE), "IF(%s, %s, NULL)".formatted(isStuck, RETRY_AT)),
				carried("m", "m.payload_size"), this.message, this.byPosition, parked, BY_ID);
		this.deadContent = LOOK + """
				%s, %s FROM %3$s d FORCE INDEX (%3$s_message) WHERE d.message_id = ? ORDER BY d.id DESC LIMIT 1"""
			.formatted(DEAD_COLUMNS, carried("d", "LENGTH(d.payload)"), this.deadLetter);
		String countLane = "COUNT(*) FROM (SELECT 1 FROM %s %s WHERE lane = %%s LIMIT ?) w".formatted(this.message,
				BY_ID);
		this.countLane = LOOK + countLane.formatted("?");
		this.countLaneOf = LOOK + countLane
			.formatted("(SELECT m.lane FROM %s m %s WHERE m.id = ?)".formatted(this.message, this.byPosition));
		this.rangeOfParkedKeys = LOOK + """
				COUNT(*) AS looked, MIN(lane) AS last FROM
				(SELECT lane FROM %s %s WHERE is_delayed = FALSE AND lane < ? ORDER BY lane DESC LIMIT ?) w"""
			.formatted(parked, ParkedKeyFragments.byDelay(prefix));
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
		return LOOK + "k.lane FROM %s WHERE k.partition_key = %s"
			.formatted(ParkedKeyFragments.ofKey(this.database, partitionKey), TEXT);
	}

	/**
	 * How many messages there are behind a position, up to a limit, and the position of
	 * the last of these.
	 * @param lanes the lanes to look at, nothing for all
	 */
	String range(List<Long> lanes, long after, int limit) {
		return LOOK + "COUNT(*) AS looked, MAX(position) AS last FROM (%s) w"
			.formatted(rows("m.id AS position", "TRUE", lanes, after, Long.MAX_VALUE, limit));
	}

	/**
	 * The messages of a range that are pending, due or delayed. The statement binds the
	 * value of the selection for each lane.
	 * @param lanes the lanes to look at, nothing for all
	 */
	String list(MessageState state, MessageSelection selection, TimeRange range, List<Long> lanes, long after,
			long last, int limit) {
		String isOfState = switch (state) {
			case DUE -> this.isDue;
			case DELAYED -> DELAYED;
			default -> "m.failed_at IS NULL";
		};
		String rows = rows(columns("m", "m.id", "'%s'".formatted(state), "NULL", "NULL", DELIVER_AT),
				condition("m", selection) + " AND " + isOfState + during("m.created_at", range), lanes, after, last,
				limit);
		return LOOK + "* FROM (%s) w ORDER BY position".formatted(rows);
	}

	/**
	 * A page of messages that are stalled, or of those that are blocked, from a range of
	 * lanes.
	 */
	String listStuck(MessageSelection selection, TimeRange range) {
		return LOOK
				+ "%s FROM %s WHERE k.is_delayed = FALSE AND k.lane < ? AND k.lane >= ? AND %s = ? AND %s AND %s ORDER BY k.lane DESC LIMIT ?"
					.formatted(columns("-k.lane", STUCK_STATE, SINCE, RETRY_AT),
							ParkedKeyFragments.heads(this.database, this.ordered, selection), BLOCKED, STUCK,
							condition("m", selection) + during("m.created_at", range));
	}

	/**
	 * A page of dead letters.
	 */
	String listDeadLetters(MessageSelection selection, TimeRange range) {
		return LOOK + "%s FROM %s d FORCE INDEX (%s) WHERE d.id > ? AND %s ORDER BY d.id LIMIT ?".formatted(
				DEAD_COLUMNS, this.deadLetter, index(this.deadLetter, selection),
				condition("d", selection) + during("d.dead_at", range));
	}

	private String rows(String columns, String condition, List<Long> lanes, long after, long last, int limit) {
		String select = "SELECT %s FROM %s m %%s WHERE %%s m.id > %d AND m.id <= %d AND %s ORDER BY m.id LIMIT %d"
			.formatted(columns, this.message, after, last, condition, limit);
		if (lanes.isEmpty()) {
			return select.formatted(this.byPosition, "");
		}
		return lanes.stream()
			.map((lane) -> "(" + select.formatted(BY_ID, "m.lane = %d AND".formatted(lane)) + ")")
			.collect(Collectors.joining(" UNION ALL ", "", " ORDER BY position LIMIT " + limit));
	}

	/**
	 * What is listed of a message that is found by its position.
	 * @param since since when it is in that state
	 */
	static String columns(String alias, MessageState state, String since) {
		return columns(alias, alias + ".id", "'%s'".formatted(state), since, "NULL", "NULL");
	}

	private static String columns(String position, String state, String since, String retryAt) {
		return columns("m", position, state, since, retryAt, DELIVER_AT);
	}

	private static String columns(String alias, String position, String state, String since, String retryAt,
			String deliverAt) {
		return COLUMNS.formatted(alias, position, MICROS.formatted(alias + ".created_at"), state,
				MICROS.formatted(since), MICROS.formatted(retryAt), MICROS.formatted(deliverAt));
	}

	/**
	 * What a message carries. The columns bind how much of the payload is read.
	 * @param size the size of the whole payload
	 */
	static String carried(String alias, String size) {
		return "%1$s.content_type, %1$s.headers, LEFT(%1$s.payload, ?) AS payload, %2$s AS size".formatted(alias, size);
	}

}
