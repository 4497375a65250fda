package io.orderedoutbox.jdbc;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;

import org.jspecify.annotations.Nullable;

/**
 * What the statements of the outbox have in common.
 * <p>
 * The library hands lists of ids over as one JSON array and joins them, never as
 * {@code IN (…)}: the optimizer turns a list that covers much of a small table into a
 * full scan, which then locks or waits for rows that are not ours. {@code STRAIGHT_JOIN}
 * makes each id a lookup by primary key; {@code FORCE INDEX} keeps it one where the table
 * has so few rows that reading them all would be cheaper.
 * <p>
 * No setting of a session changes what a statement means. Its text is ASCII, and so is
 * what it binds: numbers, and any other text in Base64, since a driver writes characters
 * in the character set of the connection and escapes some of them, and the server reads
 * them in the character set and with the {@code sql_mode} of the session. The two need
 * not agree.
 */
public final class SqlFragments {

	/** A list of ids as a table {@code w (id)}: {@code [1,2]}. */
	public static final String IDS = "JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$')) w";

	/**
	 * A list of lanes and positions as a table {@code w (lane, id)}:
	 * {@code [[7,1],[-5,2]]}.
	 */
	public static final String PLACES = "JSON_TABLE(?, '$[*]' COLUMNS (lane BIGINT PATH '$[0]', id BIGINT PATH '$[1]')) w";

	/** Makes the join of a list find each row by its primary key. */
	public static final String BY_ID = "FORCE INDEX (PRIMARY)";

	/** The time by which everything is decided, in UTC. */
	public static final String NOW = "UTC_TIMESTAMP(6)";

	/**
	 * Whether a message {@code m} is delayed. One that has failed has been sent before,
	 * and its key says when it is tried again. One whose two times are the same never
	 * was, whatever the clock says now.
	 */
	public static final String DELAYED = "(m.failed_at IS NULL AND m.available_at > m.created_at AND m.available_at > "
			+ NOW + ")";

	/** When a blocked key is due. */
	public static final String NEVER = "'9999-12-31'";

	/** The beginning of every statement that only looks: the look has to end soon. */
	public static final String LOOK = "SELECT /*+ MAX_EXECUTION_TIME(4000) SET_VAR(sql_big_selects = ON) */ ";

	/** The microseconds from the epoch to a time. */
	public static final String MICROS = "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', %s)";

	/**
	 * Text, of a parameter that is {@linkplain #text encoded}. In an INSERT the function
	 * inside alone will do.
	 */
	public static final String TEXT = "CONVERT(FROM_BASE64(?) USING utf8mb4)";

	private static final Instant LAST = Instant.parse("9999-12-31T00:00:00Z");

	private SqlFragments() {
	}

	/** What {@link #TEXT} binds. */
	public static String text(String text) {
		return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Whether a time is in a range. The condition binds nothing, and follows another one.
	 * @param from the first time, {@code null} for no beginning
	 * @param until the first time that is too late, {@code null} for no end
	 */
	public static String during(String column, @Nullable Instant from, @Nullable Instant until) {
		String begin = (from != null) ? " AND %s >= %s".formatted(column, time(from)) : "";
		String end = (until != null) ? " AND %s < %s".formatted(column, time(until)) : "";
		return begin + end;
	}

	/** A time, of those that a column can hold. */
	static String time(Instant instant) {
		Instant within = instant.isBefore(Instant.EPOCH) ? Instant.EPOCH : instant.isAfter(LAST) ? LAST : instant;
		return "TIMESTAMPADD(MICROSECOND, %d, CAST('1970-01-01' AS DATETIME(6)))"
			.formatted(within.getEpochSecond() * 1_000_000 + within.getNano() / 1_000);
	}

	/** A lane and a position as {@link #PLACES} takes them. */
	public static String place(long lane, long id) {
		return "[%d,%d]".formatted(lane, id);
	}

	/** The messages {@code m} at a list of places. */
	public static String messagesAtPlaces(String messageTable) {
		return "%s STRAIGHT_JOIN %s m %s ON m.lane = w.lane AND m.id = w.id".formatted(PLACES, messageTable, BY_ID);
	}

	/** The parked keys {@code k} of a list of lanes. */
	public static String keysOfLanes(String parkedTable) {
		return "%s STRAIGHT_JOIN %s k %s ON k.lane = w.id".formatted(IDS, parkedTable, BY_ID);
	}

}
