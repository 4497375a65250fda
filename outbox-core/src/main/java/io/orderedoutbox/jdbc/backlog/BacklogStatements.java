/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.backlog;

import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.dialect.SqlFragments;

import static io.orderedoutbox.jdbc.dialect.SqlFragments.LOOK;

/**
 * The statements that look at the backlog, with the names of the tables filled in.
 * <p>
 * None of them grows with the outbox. What is counted is counted from an index, up to a
 * limit; for the lag one row of each partition is read. Where an old snapshot keeps the
 * server from removing what was deleted, even such a read can take long: MySQL then gives
 * it up.
 */
public final class BacklogStatements {

	/** The comment on the table of messages. */
	final String comment;

	private static final String HEAD_COLUMNS = "lane, available_at, is_delayed";

	/**
	 * Everything that is counted; limits for messages, for parked keys, for those that
	 * are looked up, for dead letters, and for keys that are delayed.
	 */
	public final String count;

	/** How many messages there are, as the optimizer sees it. */
	final String estimate;

	/**
	 * For how long the oldest message that could be sent has been due: the first one in
	 * the lane of a partition, or in that of a key that is sent bit by bit, or the parked
	 * key that has been due for longest. A delayed one in the lane of a partition counts
	 * since it was stored: a relay would have parked it by now.
	 */
	public final String lag;

	/**
	 * Create the statements for the dialect and the tables of a database.
	 * @param database the database of the outbox
	 */
	public BacklogStatements(OutboxDatabase database) {
		SqlFragments sql = database.dialect().sql();
		ParkedKeyFragments keys = new ParkedKeyFragments(database, true);
		String prefix = database.tablePrefix();
		String message = prefix + "message";
		this.comment = LOOK + sql.commentOn(message);
		this.count = (LOOK
				+ """
						messages.depth, lanes.parked, heads.stuck, heads.blocked, heads.stalled_for, dead.letters, waiting.delayed_keys FROM
						(SELECT COUNT(*) AS depth FROM (SELECT id FROM %1$s %6$s ORDER BY id LIMIT ?) w) messages
						CROSS JOIN (SELECT COUNT(*) AS parked FROM %8$s w) lanes
						CROSS JOIN (SELECT COUNT(*) AS stuck, COUNT(CASE WHEN %2$s THEN 1 END) AS blocked,
						COALESCE(%5$s, 0) AS stalled_for FROM
						%9$s k %3$s WHERE %4$s) heads
						CROSS JOIN (SELECT COUNT(*) AS letters FROM (SELECT id FROM %12$s %7$s
						ORDER BY partition_key, id LIMIT ?) w) dead
						CROSS JOIN (SELECT COUNT(*) AS delayed_keys FROM (SELECT available_at FROM %13$s %10$s
						WHERE is_delayed = TRUE AND lane < 0 ORDER BY lane DESC LIMIT ?) w WHERE available_at > %11$s) waiting""")
			.formatted(message, keys.blocked(), keys.joinHead(), keys.stuck(),
					sql.between("MIN(%s)".formatted(SqlFragments.choose(keys.blocked(), "NULL", "m.available_at")),
							sql.now()),
					sql.by(message + "_id"), sql.by(prefix + "dead_letter_key"), keys.first("lane"),
					keys.first(HEAD_COLUMNS), keys.byDelay(), sql.now(), prefix + "dead_letter", prefix + "parked");
		this.estimate = sql.estimateOf(message);
		this.lag = LOOK + """
				%6$s FROM
				(SELECT MIN(retry_at) AS since FROM %2$spartition WHERE retry_at <= %1$s
				UNION ALL SELECT MIN((SELECT %8$s FROM %3$s m %4$s WHERE %9$s ORDER BY m.lane, m.id LIMIT 1))
				FROM %2$spartition p
				UNION ALL SELECT MIN(m.available_at) FROM
				%7$s k %5$s
				WHERE k.available_at <= %1$s AND m.failed_at IS NULL) w""".formatted(sql.now(), prefix, message,
				sql.byId(), keys.joinHead(), sql.between("MIN(w.since)", sql.now()),
				keys.first(HEAD_COLUMNS).replace("?", "100"),
				SqlFragments.choose(sql.delayed(), "m.created_at", "m.available_at"), sql.is("m.lane", "p.id"));
	}

}
