package io.orderedoutbox.store;

import io.orderedoutbox.MessageSelection;
import io.orderedoutbox.MessageSelection.By;

import static io.orderedoutbox.store.BacklogStatements.SELECT;
import static io.orderedoutbox.store.OutboxStatements.BY_ID;
import static io.orderedoutbox.store.OutboxStatements.NEVER;
import static io.orderedoutbox.store.OutboxStatements.NOW;

/**
 * The statements of somebody who only looks, with the names of the tables filled in. None
 * of them locks, MySQL gives each of them up that takes long, and none reads more than it
 * is told to: the outbox has no index by name, by message id or by time, and so a stretch
 * of it is looked at, of which the caller has first found the end.
 */
final class InspectionStatements {

	static final String MICROS = "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', %s)";

	static final String BLOCKED = "m.available_at >= " + NEVER;

	private static final String SUMMARY = SELECT + """
			%1$s.id, %1$s.message_id, %1$s.name, %1$s.partition_key, %1$s.exchange, %1$s.routing_key, %1$s.attempts,
			%1$s.last_error, %2$s AS created""";

	private final String message;

	private final String isDue;

	/** For how long the oldest message has been there. */
	final String oldest;

	/** The position of a message among the first that have failed. */
	final String locateFailed;

	/** The position of a message in a stretch. */
	final String locate;

	/** A message with what it carries. */
	final String content;

	/** A dead letter with what it carries. */
	final String deadContent;

	InspectionStatements(String prefix, boolean ordered) {
		this.message = prefix + "message";
		String isHead = isHead(this.message, ordered);
		this.isDue = "m.available_at <= %s AND %s".formatted(NOW, isHead);
		String age = "TIMESTAMPDIFF(MICROSECOND, m.created_at, %s)".formatted(NOW);
		String deadLetter = prefix + "dead_letter";
		this.oldest = SELECT + "%s FROM %s m ORDER BY m.id LIMIT 1".formatted(age, this.message);
		this.locateFailed = SELECT + """
				m.id FROM (SELECT id FROM %sfailed ORDER BY id LIMIT ?) f STRAIGHT_JOIN %s m %s ON m.id = f.id
				WHERE m.message_id = ? LIMIT 1""".formatted(prefix, this.message, BY_ID);
		this.locate = SELECT + """
				m.id FROM %s m %s WHERE m.id > ? AND m.id <= ? AND m.message_id = ? ORDER BY m.id LIMIT 1"""
			.formatted(this.message, BY_ID);
		this.content = """
				%s, m.content_type, m.headers, LEFT(m.payload, ?) AS payload, m.payload_size AS size,
				CASE WHEN m.failed_at IS NULL THEN IF(%s, 'DUE', 'PENDING') WHEN %s THEN 'BLOCKED' ELSE 'STALLED' END AS state,
				%s AS since, IF(m.failed_at IS NULL OR %s, NULL, %s) AS retry FROM %s m WHERE m.id = ?"""
			.formatted(summary("m"), this.isDue, BLOCKED, MICROS.formatted("m.failed_at"), BLOCKED,
					MICROS.formatted("m.available_at"), this.message);
		this.deadContent = """
				%s, d.content_type, d.headers, LEFT(d.payload, ?) AS payload, LENGTH(d.payload) AS size, 'DEAD' AS state,
				%s AS since, NULL AS retry FROM %s d FORCE INDEX (%s_message) WHERE d.message_id = ?
				ORDER BY d.id DESC LIMIT 1"""
			.formatted(summary("d"), MICROS.formatted("d.dead_at"), deadLetter, deadLetter);
	}

	/**
	 * How many messages there are behind a position, up to a limit, and the position of
	 * the last of these.
	 */
	String stretch(MessageSelection selection) {
		return SELECT + """
				COUNT(*) AS looked, MAX(id) AS last FROM
				(SELECT m.id FROM %s m %s WHERE m.id > ? %s ORDER BY m.id LIMIT ?) w""".formatted(this.message,
				index(selection), (selection.by() == By.PARTITION_KEY) ? "AND m.partition_key = ?" : "");
	}

	/**
	 * The messages of a stretch that have not failed, or those that are due.
	 */
	String list(MessageSelection selection, boolean due) {
		return "%s FROM %s m %s WHERE m.id > ? AND m.id <= ? AND %s AND %s ORDER BY m.id LIMIT ?".formatted(
				summary("m"), this.message, index(selection), condition("m", selection),
				due ? this.isDue : "m.failed_at IS NULL");
	}

	private String index(MessageSelection selection) {
		return (selection.by() == By.PARTITION_KEY) ? "FORCE INDEX (" + this.message + "_key)" : BY_ID;
	}

	static String summary(String alias) {
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

	/**
	 * Whether nothing of its key is before a message.
	 */
	static String isHead(String message, boolean ordered) {
		return ordered ? """
				(m.partition_key = '' OR m.id = (SELECT e.id FROM %s e FORCE INDEX (%s_key)
				WHERE e.partition_key = m.partition_key ORDER BY e.partition_key, e.id LIMIT 1))""".formatted(message,
				message) : "TRUE";
	}

}
