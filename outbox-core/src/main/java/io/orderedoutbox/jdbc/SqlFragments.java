package io.orderedoutbox.jdbc;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;

import org.jspecify.annotations.Nullable;

/**
 * What the statements of the outbox have in common, and what each database calls it. The
 * statements are written once, with these in their gaps.
 * <p>
 * The library hands lists of ids over as one JSON array and joins them, never as
 * {@code IN (…)}: the optimizer of MySQL turns a list that covers much of a small table
 * into a full scan, which then locks or waits for rows that are not ours. So a join
 * begins with the list, and finds each row by its primary key.
 * <p>
 * No setting of a session changes what a statement means. Its text is ASCII, and so is
 * what it binds: numbers, and any other text in Base64, since a driver writes characters
 * in the character set of the connection and escapes some of them, and the server reads
 * them in the character set and with the {@code sql_mode} of the session. The two need
 * not agree.
 */
public interface SqlFragments {

	/**
	 * The beginning of every statement that only looks: the look has to end soon. A
	 * comment where the database has no such hints.
	 */
	String LOOK = "SELECT /*+ MAX_EXECUTION_TIME(4000) SET_VAR(sql_big_selects = ON) */ ";

	/** The last time that a column can hold. */
	Instant LAST = Instant.parse("9999-12-31T00:00:00Z");

	/** Whether a message {@code m} is the one of an entry of {@link #places()}. */
	String AT_PLACE = "m.lane = w.lane AND m.id = w.id";

	/** What {@link #text()} binds. */
	static String text(String text) {
		return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
	}

	/** A lane and a position as {@link #places} takes them. */
	static String place(long lane, long id) {
		return "[%d,%d]".formatted(lane, id);
	}

	/** One of two values. */
	static String choose(String condition, String then, String otherwise) {
		return "CASE WHEN %s THEN %s ELSE %s END".formatted(condition, then, otherwise);
	}

	/**
	 * A list of lists as a table {@code w}: {@code [[7,1,null],[-5,2,"a"]]}.
	 * @param json an expression for the list
	 * @param columns the columns of the table, each with its type: BIGINT, INT, or TEXT
	 * for ASCII
	 */
	String listOf(String json, String... columns);

	/** A list that is bound. */
	String list(String... columns);

	/**
	 * A list of ids as a table {@code w (id)}: {@code [1,2]}.
	 * @param json an expression for the list
	 */
	String idsOf(String json);

	/** A list of ids that is bound. */
	default String ids() {
		return idsOf("?");
	}

	/**
	 * A list of lanes and positions that is bound, as a table {@code w (lane, id)}:
	 * {@code [[7,1],[-5,2]]}.
	 */
	default String places() {
		return list("lane BIGINT", "id BIGINT");
	}

	/** Makes a statement with a list mean the same in any session. */
	default String inAnySession(String statement) {
		return statement;
	}

	/** Joins in the order of the text, where the database may be told so. */
	String join();

	/** Says which indexes are to be used, where the database may be told so. */
	String by(String indexes);

	/** Says that rows are to be found by the primary key. */
	default String byId() {
		return by("PRIMARY");
	}

	/** The messages {@code m} at a list of places. */
	default String messagesAtPlaces(String messageTable) {
		return "%s %s %s m %s ON %s".formatted(places(), join(), messageTable, byId(), AT_PLACE);
	}

	/** The rows of a table that have the ids of a list. */
	default String rowsOfIds(String table, String alias) {
		return "%1$s %2$s %3$s %4$s %5$s ON %4$s.id = w.id".formatted(ids(), join(), table, alias, byId());
	}

	/**
	 * Changes the rows of a table that belong to entries of a list.
	 * @param source the list, with what is joined to it
	 * @param condition which rows these are, by {@code w} and the table
	 * @param assignments what is set, by {@code w} and the table; each begins with a
	 * column
	 */
	String update(String source, String table, String alias, String condition, String... assignments);

	/** Deletes the rows of a table that belong to entries of a list. */
	String delete(String source, String table, String alias, String condition);

	/**
	 * The end of an INSERT that changes the row that is there.
	 * @param key the columns of the primary key
	 * @param assignments what is set, each beginning with a column
	 */
	String orUpdate(String key, String... assignments);

	/** In an assignment of {@link #orUpdate}: what would have been inserted. */
	String inserted(String column);

	/** The limit of a statement that changes rows, for sessions that demand one. */
	String limitOfChange();

	/** The locking clause for the one table of a join that is to be locked. */
	String lockOf(String alias);

	/** Has rows locked in the order of an expression, where a join does not say so. */
	String inOrderOf(String expression);

	/** Text, of a parameter that is {@linkplain #text(String) encoded}. */
	default String text() {
		return textOf("?");
	}

	/** Text, of an expression that is encoded. */
	String textOf(String encoded);

	/** The same as the value of a column in an INSERT. */
	String textOfColumn();

	/** Bytes, of a parameter that is in Base64. */
	String bytes();

	/** The bytes of a text in UTF-8. */
	String utf8(String text);

	/** The beginning of bytes, as long as a parameter says. */
	String beginning(String bytes);

	/** Whether a key has a hash, as far as the database can compute that. */
	String isHashOf(String hash, String key);

	/**
	 * The hash of a key.
	 * @param given the same, as the library has computed it
	 */
	String hash(String key, String given);

	/** The time by which everything is decided. */
	String now();

	/** The time at which the current minute has begun. */
	String minute();

	/** When a blocked key is due. */
	String never();

	/** The epoch. */
	String epoch();

	/** A time some microseconds after another. */
	String after(String micros, String time);

	/** A time, of those that a column can hold. */
	default String time(Instant time) {
		return timeOf(time.isBefore(Instant.EPOCH) ? Instant.EPOCH : time.isAfter(LAST) ? LAST : time);
	}

	/** A time that a column can hold. */
	String timeOf(Instant time);

	/**
	 * Whether a time is in a range. The condition binds nothing, and follows another one.
	 * @param from the first time, {@code null} for no beginning
	 * @param until the first time that is too late, {@code null} for no end
	 */
	default String during(String column, @Nullable Instant from, @Nullable Instant until) {
		String begin = (from != null) ? " AND %s >= %s".formatted(column, time(from)) : "";
		String end = (until != null) ? " AND %s < %s".formatted(column, time(until)) : "";
		return begin + end;
	}

	/**
	 * Whether a message {@code m} is delayed. One that has failed has been sent before,
	 * and its key says when it is tried again. One whose two times are the same never
	 * was, whatever the clock says now.
	 */
	default String delayed() {
		return "(m.failed_at IS NULL AND m.available_at > m.created_at AND m.available_at > " + now() + ")";
	}

	/** The microseconds from one time to another. */
	String between(String from, String to);

	/** The microseconds from the epoch to a time. */
	default String micros(String time) {
		return between(epoch(), time);
	}

	/** A time as text that {@link #timeOfText} understands. */
	String textOfTime(String time);

	/** A time as text of ISO 8601, in UTC. */
	String isoTextOfTime(String time);

	/** A time, of a parameter that is text. */
	String timeOfText();

	/** What a SELECT selects: the comment on a table. */
	String commentOn(String table);

	/**
	 * A statement that returns how many {@code rows} a table has, as the optimizer sees
	 * it.
	 */
	String estimateOf(String table);

	/** What tells one server from another: on another one positions mean nothing. */
	String server();

	/** What tells one connection to a server from another. */
	String connection();

	/** Whether the server takes no changes, as a replica. */
	String readOnly();

}
