package io.orderedoutbox.store;

import static io.orderedoutbox.store.OutboxStatements.BY_ID;
import static io.orderedoutbox.store.OutboxStatements.NEVER;
import static io.orderedoutbox.store.OutboxStatements.NOW;

/**
 * The statements that look at the backlog, with the names of the tables filled in.
 * <p>
 * None of them grows with the outbox. What is counted is counted from an index, up to a
 * limit; the oldest is looked for in a window over the oldest rows, in which the first
 * row of a key is its head, or else among the heads of the keys, up to a limit. Where an
 * old snapshot keeps the server from removing what was deleted, even such a read can take
 * long: MySQL then gives it up.
 */
final class BacklogStatements {

	/** The beginning of everything that only looks: it has to end soon. */
	static final String SELECT = "SELECT /*+ MAX_EXECUTION_TIME(4000) */ ";

	/** The comment on the table of messages; the prefix. */
	static final String COMMENT = """
			SELECT table_comment FROM information_schema.tables
			WHERE table_schema = DATABASE() AND table_name = CONCAT(?, 'message')""";

	private static final String LAG = "TIMESTAMPDIFF(MICROSECOND, MIN(h.available_at), %s)".formatted(NOW);

	/**
	 * Everything that is counted; limits for messages, for positions of what has failed,
	 * for those that are looked up, and for dead letters.
	 */
	final String count;

	/** How many messages there are, as the optimizer sees it. */
	final String estimate;

	/** For how long the oldest head in a window has been due; a limit. */
	final String lagOfWindow;

	/**
	 * For how long the oldest head of some keys has been due, or the oldest of some
	 * messages without a key; a limit for each.
	 */
	final String lagOfHeads;

	/** Whether the order of each partition key is kept. */
	final boolean ordered;

	BacklogStatements(String prefix, boolean ordered) {
		this.ordered = ordered;
		String message = prefix + "message";
		String keyIndex = "FORCE INDEX (" + message + "_key)";
		this.count = (SELECT
				+ """
						d.depth, f.failed, k.stuck, k.blocked, l.letters
						FROM (SELECT COUNT(*) AS depth FROM (SELECT id FROM %1$s %2$s ORDER BY partition_key, id LIMIT ?) a) d
						CROSS JOIN (SELECT COUNT(*) AS failed FROM (SELECT id FROM %4$sfailed %5$s ORDER BY id LIMIT ?) e) f
						CROSS JOIN (SELECT COUNT(*) AS stuck, COALESCE(SUM(b.blocked), 0) AS blocked FROM (
						SELECT m.available_at >= %3$s AS blocked FROM (SELECT id FROM %4$sfailed %5$s ORDER BY id LIMIT ?) w
						STRAIGHT_JOIN %1$s m %5$s ON m.id = w.id WHERE m.failed_at IS NOT NULL AND %6$s) b) k
						CROSS JOIN (SELECT COUNT(*) AS letters FROM (SELECT id FROM %4$sdead_letter FORCE INDEX (%4$sdead_letter_key)
						ORDER BY partition_key, id LIMIT ?) c) l""")
			.formatted(message, keyIndex, NEVER, prefix, BY_ID, InspectionStatements.isHead(message, ordered));
		this.estimate = "EXPLAIN FORMAT=TRADITIONAL SELECT id FROM " + message;
		this.lagOfWindow = SELECT + (ordered ? """
				%s FROM (SELECT id, partition_key, available_at, MIN(id) OVER (PARTITION BY partition_key) AS head
				FROM (SELECT id, partition_key, available_at FROM %s %s ORDER BY id LIMIT ?) w) h
				WHERE h.available_at <= %s AND (h.partition_key = '' OR h.id = h.head)""" : """
				%s FROM (SELECT available_at FROM %s %s ORDER BY id LIMIT ?) h WHERE h.available_at <= %s""")
			.formatted(LAG, message, BY_ID, NOW);
		this.lagOfHeads = (SELECT + """
				%s FROM ((SELECT MIN(id) AS id FROM %s WHERE partition_key > ''
				GROUP BY partition_key ORDER BY partition_key LIMIT ?)
				UNION ALL (SELECT id FROM %s %s WHERE partition_key = '' ORDER BY id LIMIT ?)) w
				STRAIGHT_JOIN %s h %s ON h.id = w.id WHERE h.available_at <= %s""").formatted(LAG, message, message,
				keyIndex, message, BY_ID, NOW);
	}

}
