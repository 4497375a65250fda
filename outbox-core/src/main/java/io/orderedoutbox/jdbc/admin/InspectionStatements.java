/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.util.List;
import java.util.stream.Collectors;

import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.MessageState;
import io.orderedoutbox.admin.TimeRange;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.backlog.ParkedKeyFragments;
import io.orderedoutbox.jdbc.dialect.SqlFragments;

import static io.orderedoutbox.jdbc.dialect.SqlFragments.LOOK;
import static io.orderedoutbox.jdbc.backlog.ParkedKeyFragments.SINCE;
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

	private final SqlFragments sql;

	/** What statements say of parked keys. */
	final ParkedKeyFragments keys;

	private final String stuckState;

	private final String retryAt;

	// Of a message that is still to be sent
	private final String deliverAt;

	private final String deadColumns;

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

	private final String firstStuck;

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
		this.sql = database.dialect().sql();
		this.keys = new ParkedKeyFragments(database, ordered);
		this.stuckState = SqlFragments.choose(this.keys.blocked(), "'BLOCKED'", "'STALLED'");
		this.retryAt = SqlFragments.choose(this.keys.blocked(), "NULL", "k.available_at");
		this.deliverAt = SqlFragments.choose(this.sql.delayed(), "m.available_at", "NULL");
		this.deadColumns = columns(this.sql, "d", MessageState.DEAD, "d.dead_at");
		String prefix = database.tablePrefix();
		this.message = prefix + "message";
		this.deadLetter = prefix + "dead_letter";
		this.byPosition = this.sql.by(this.message + "_id");
		String parked = prefix + "parked";
		String isParked = """
				EXISTS (SELECT 1 FROM %s p %s WHERE %s
				AND %s AND p.partition_key = m.partition_key AND p.available_at > %s)""".formatted(parked,
				this.sql.by(parked + "_key"), this.sql.is("p.partition_id", "m.lane"),
				this.sql.isHashOf("p.key_hash", "m.partition_key"), this.sql.now());
		String isFree = ordered ? "(m.partition_key = '' OR NOT %s)".formatted(isParked) : "TRUE";
		this.isDue = "(NOT %s AND %s)".formatted(this.sql.delayed(),
				SqlFragments.choose("m.lane < 0", "(SELECT p.available_at FROM %s p %s WHERE %s) <= %s"
					.formatted(parked, this.sql.byId(), this.sql.is("p.lane", "m.lane"), this.sql.now()), isFree));
		String age = this.sql.between("m.created_at", this.sql.now());
		this.oldest = LOOK + "%s FROM %s m %s ORDER BY m.id LIMIT 1".formatted(age, this.message, this.byPosition);
		String firstHeads = this.keys.first("lane, available_at, is_delayed") + " k " + this.keys.joinHead();
		this.locateHead = LOOK + "m.id FROM %s WHERE m.message_id = ? LIMIT 1".formatted(firstHeads);
		this.firstStuck = LOOK + "%s FROM %s WHERE %s"
			.formatted(columns("-k.lane", this.stuckState, SINCE, this.retryAt), firstHeads, this.keys.stuck());
		this.locate = LOOK + """
				m.id FROM %s m %s WHERE m.id > ? AND m.id <= ? AND m.message_id = ? ORDER BY m.id LIMIT 1"""
			.formatted(this.message, this.byPosition);
		String isStuck = "(k.lane IS NOT NULL AND %s AND m.id = %s)".formatted(this.keys.stuck(),
				this.keys.head("m.lane"));
		this.content = LOOK + "%s, %s FROM %s m %s LEFT JOIN %s k %s ON %s WHERE m.id = ?".formatted(
				columns("m.id",
						SqlFragments.choose(isStuck, this.stuckState,
								SqlFragments.choose(this.sql.delayed(), "'DELAYED'",
										SqlFragments.choose(this.isDue, "'DUE'", "'PENDING'"))),
						SqlFragments.choose(isStuck, SINCE, "NULL"),
						SqlFragments.choose(isStuck, this.retryAt, "NULL")),
				carried(this.sql, "m", "m.payload_size", "?"), this.message, this.byPosition, parked, this.sql.byId(),
				this.sql.is("k.lane", "m.lane"));
		this.deadContent = LOOK + """
				%s, %s FROM %s d %s WHERE d.message_id = ? ORDER BY d.id DESC LIMIT 1""".formatted(this.deadColumns,
				carried(this.sql, "d", "LENGTH(d.payload)", "?"), this.deadLetter,
				this.sql.by(this.deadLetter + "_message"));
		String countLane = "COUNT(*) FROM (SELECT 1 FROM %s %s WHERE lane = %%s LIMIT ?) w".formatted(this.message,
				this.sql.byId());
		this.countLane = LOOK + countLane.formatted("?");
		this.countLaneOf = LOOK + countLane
			.formatted("(SELECT m.lane FROM %s m %s WHERE m.id = ?)".formatted(this.message, this.byPosition));
		this.rangeOfParkedKeys = LOOK + """
				COUNT(*) AS looked, MIN(lane) AS last FROM
				(SELECT lane FROM %s %s WHERE is_delayed = FALSE AND lane < ? ORDER BY lane DESC LIMIT ?) w"""
			.formatted(parked, this.keys.byDelay());
	}

	/**
	 * The lanes of a key that is parked.
	 */
	String parkedLanes(String partitionKey) {
		return LOOK
				+ "k.lane FROM %s WHERE k.partition_key = %s".formatted(this.keys.ofKey(partitionKey), this.sql.text());
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
	 * @param more further columns, after a comma
	 * @param lanes the lanes to look at, nothing for all
	 */
	String list(MessageState state, MessageSelection selection, TimeRange range, String more, List<Long> lanes,
			long after, long last, int limit) {
		String isOfState = switch (state) {
			case DUE -> this.isDue;
			case DELAYED -> this.sql.delayed();
			default -> "m.failed_at IS NULL";
		};
		String rows = rows(
				columns(this.sql, "m", "m.id", "'%s'".formatted(state), "NULL", "NULL", this.deliverAt) + more,
				condition(this.sql, "m", selection) + " AND " + isOfState + during(this.sql, "m.created_at", range),
				lanes, after, last, limit);
		return LOOK + "* FROM (%s) w ORDER BY position".formatted(rows);
	}

	/**
	 * The messages that are stuck among the heads of some parked keys.
	 */
	String firstStuck(TimeRange range) {
		return this.firstStuck + during(this.sql, "m.created_at", range);
	}

	/**
	 * A page of messages that are stalled, or of those that are blocked, from a range of
	 * lanes.
	 * @param more further columns, after a comma
	 */
	String listStuck(MessageSelection selection, TimeRange range, String more) {
		return LOOK
				+ "%s FROM %s WHERE k.is_delayed = FALSE AND k.lane < ? AND k.lane >= ? AND %s = ? AND %s AND %s ORDER BY k.lane DESC LIMIT ?"
					.formatted(columns("-k.lane", this.stuckState, SINCE, this.retryAt) + more,
							this.keys.heads(selection), this.keys.blocked(), this.keys.stuck(),
							condition(this.sql, "m", selection) + during(this.sql, "m.created_at", range));
	}

	/**
	 * A page of dead letters.
	 */
	String listDeadLetters(MessageSelection selection, TimeRange range) {
		return LOOK + "%s FROM %s d %s WHERE d.id > ? AND %s ORDER BY d.id LIMIT ?".formatted(this.deadColumns,
				this.deadLetter, this.sql.by(index(this.deadLetter, selection)),
				condition(this.sql, "d", selection) + during(this.sql, "d.dead_at", range));
	}

	private String rows(String columns, String condition, List<Long> lanes, long after, long last, int limit) {
		String select = "SELECT %s FROM %s m %%s WHERE %%s AND %s ORDER BY %%s LIMIT %d".formatted(columns,
				this.message, condition, limit);
		if (lanes.isEmpty()) {
			return select.formatted(this.byPosition, "m.id > %d AND m.id <= %d".formatted(after, last), "m.id");
		}
		List<String> selects = lanes.stream()
			.map((lane) -> select.formatted(this.sql.byId(), this.sql.inLane(lane, after + 1, last), "m.lane, m.id"))
			.toList();
		if (selects.size() == 1) {
			return selects.get(0);
		}
		return selects.stream()
			.map((one) -> "(" + one + ")")
			.collect(Collectors.joining(" UNION ALL ", "", " ORDER BY position LIMIT " + limit));
	}

	/**
	 * What is listed of a message that is found by its position.
	 * @param since since when it is in that state
	 */
	static String columns(SqlFragments sql, String alias, MessageState state, String since) {
		return columns(sql, alias, alias + ".id", "'%s'".formatted(state), since, "NULL", "NULL");
	}

	private String columns(String position, String state, String since, String retryAt) {
		return columns(this.sql, "m", position, state, since, retryAt, this.deliverAt);
	}

	private static String columns(SqlFragments sql, String alias, String position, String state, String since,
			String retryAt, String deliverAt) {
		return COLUMNS.formatted(alias, position, sql.micros(alias + ".created_at"), state, sql.micros(since),
				sql.micros(retryAt), sql.micros(deliverAt));
	}

	/**
	 * What a message carries.
	 * @param size the size of the whole payload
	 * @param length how much of the payload is read, a number or a parameter
	 */
	static String carried(SqlFragments sql, String alias, String size, String length) {
		return "%1$s.content_type, %1$s.headers, %3$s AS payload, %2$s AS size".formatted(alias, size,
				sql.beginning(alias + ".payload", length));
	}

}
