package io.orderedoutbox.jdbc.admin;

import static io.orderedoutbox.jdbc.SqlFragments.BY_ID;
import static io.orderedoutbox.jdbc.SqlFragments.DELAYED;
import static io.orderedoutbox.jdbc.SqlFragments.LOOK;
import static io.orderedoutbox.jdbc.SqlFragments.NOW;
import static io.orderedoutbox.jdbc.admin.ParkedKeyFragments.BLOCKED;
import static io.orderedoutbox.jdbc.admin.ParkedKeyFragments.STUCK;

/**
 * The statements that look at the backlog, with the names of the tables filled in.
 * <p>
 * None of them grows with the outbox. What is counted is counted from an index, up to a
 * limit; for the lag one row of each partition is read. Where an old snapshot keeps the
 * server from removing what was deleted, even such a read can take long: MySQL then gives
 * it up.
 */
final class BacklogStatements {

	/** The comment on the table of messages; the prefix. */
	static final String COMMENT = LOOK + """
			table_comment FROM information_schema.tables
			WHERE table_schema = DATABASE() AND table_name = CONCAT(?, 'message')""";

	private static final String HEAD_COLUMNS = "lane, available_at, is_delayed";

	/**
	 * Everything that is counted; limits for messages, for parked keys, for those that
	 * are looked up, for dead letters, and for keys that are delayed.
	 */
	final String count;

	/** How many messages there are, as the optimizer sees it. */
	final String estimate;

	/**
	 * For how long the oldest message that could be sent has been due: the first one in
	 * the lane of a partition, or in that of a key that is sent bit by bit, or the parked
	 * key that has been due for longest. A delayed one in the lane of a partition counts
	 * since it was stored: a relay would have parked it by now.
	 */
	final String lag;

	BacklogStatements(String prefix) {
		String message = prefix + "message";
		this.count = (LOOK
				+ """
						messages.depth, lanes.parked, heads.stuck, heads.blocked, heads.stalled_for, dead.letters, waiting.delayed_keys FROM
						(SELECT COUNT(*) AS depth FROM (SELECT id FROM %1$s FORCE INDEX (%1$s_id) ORDER BY id LIMIT ?) w) messages
						CROSS JOIN (SELECT COUNT(*) AS parked FROM %8$s w) lanes
						CROSS JOIN (SELECT COUNT(*) AS stuck, COALESCE(SUM(%4$s), 0) AS blocked,
						COALESCE(TIMESTAMPDIFF(MICROSECOND, MIN(IF(%4$s, NULL, m.available_at)), %7$s), 0) AS stalled_for FROM
						%9$s k %5$s WHERE %6$s) heads
						CROSS JOIN (SELECT COUNT(*) AS letters FROM (SELECT id FROM %3$sdead_letter FORCE INDEX (%3$sdead_letter_key)
						ORDER BY partition_key, id LIMIT ?) w) dead
						CROSS JOIN (SELECT COUNT(*) AS delayed_keys FROM (SELECT available_at FROM %3$sparked %10$s
						WHERE is_delayed = TRUE AND lane < 0 ORDER BY lane DESC LIMIT ?) w WHERE available_at > %7$s) waiting""")
			.formatted(message, BY_ID, prefix, BLOCKED, ParkedKeyFragments.joinHead(prefix), STUCK, NOW,
					ParkedKeyFragments.first(prefix, "lane"), ParkedKeyFragments.first(prefix, HEAD_COLUMNS),
					ParkedKeyFragments.byDelay(prefix));
		this.estimate = "EXPLAIN FORMAT=TRADITIONAL SELECT id FROM " + message;
		this.lag = LOOK
				+ """
						TIMESTAMPDIFF(MICROSECOND, MIN(w.since), %1$s) FROM
						(SELECT MIN(retry_at) AS since FROM %2$spartition WHERE retry_at <= %1$s
						UNION ALL SELECT MIN((SELECT IF(%7$s, m.created_at, m.available_at) FROM %3$s m %4$s WHERE m.lane = p.id ORDER BY m.lane, m.id LIMIT 1))
						FROM %2$spartition p
						UNION ALL SELECT MIN(m.available_at) FROM
						%6$s k %5$s
						WHERE k.available_at <= %1$s AND m.failed_at IS NULL) w"""
					.formatted(NOW, prefix, message, BY_ID, ParkedKeyFragments.joinHead(prefix),
							ParkedKeyFragments.first(prefix, HEAD_COLUMNS).replace("?", "100"), DELAYED);
	}

}
