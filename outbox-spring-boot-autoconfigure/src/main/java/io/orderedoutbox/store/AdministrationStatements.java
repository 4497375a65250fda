package io.orderedoutbox.store;

import java.util.List;

import io.orderedoutbox.MessageSelection;

import static io.orderedoutbox.store.BacklogStatements.SELECT;
import static io.orderedoutbox.store.InspectionStatements.BLOCKED;
import static io.orderedoutbox.store.InspectionStatements.MICROS;
import static io.orderedoutbox.store.InspectionStatements.condition;
import static io.orderedoutbox.store.InspectionStatements.summary;
import static io.orderedoutbox.store.OutboxStatements.BY_ID;
import static io.orderedoutbox.store.OutboxStatements.IDS;
import static io.orderedoutbox.store.OutboxStatements.NOW;

/**
 * The statements of an operator, with the names of the tables filled in.
 * <p>
 * Nothing looks for messages in the outbox itself, which has no index to find them by:
 * the short list of what has failed leads to them, one lookup each. A position on that
 * list that leads to no message, because somebody deleted it by hand, is passed by, and
 * so is one that leads to a message that has not failed, because somebody truncated the
 * table and positions began anew. What is locked is found as a relay finds it: see
 * {@link OutboxStatements}.
 */
final class AdministrationStatements {

	private final String message;

	private final String failed;

	private final String deadLetter;

	/** Messages that have failed and hold their key. */
	private final String stuck;

	private final Aim stuckMessages;

	private final Aim deadLetters;

	/** The time by which a call goes. */
	final String now = "SELECT CAST(%s AS CHAR)".formatted(NOW);

	/**
	 * How many positions of what has failed there are behind one, up to a limit, and the
	 * last of these.
	 */
	final String stretchOfFailed;

	/** Makes messages due, as if they had never failed. */
	final String retry;

	/** Appends dead letters to the outbox, in their order. */
	final String requeue;

	/** Deletes dead letters. */
	final String discard;

	AdministrationStatements(Dialect dialect, String prefix, boolean ordered) {
		this.message = prefix + "message";
		this.failed = prefix + "failed";
		this.deadLetter = prefix + "dead_letter";
		String isHead = InspectionStatements.isHead(this.message, ordered);
		this.stuck = """
				FROM %s f %s STRAIGHT_JOIN %s m %s ON m.id = f.id
				WHERE f.id > ? AND m.failed_at IS NOT NULL AND %s""".formatted(this.failed, BY_ID, this.message, BY_ID,
				isHead);
		String givenMessages = "SELECT m.id FROM %s STRAIGHT_JOIN %s m %s ON m.id = w.id".formatted(IDS, this.message,
				BY_ID);
		String givenLetters = "SELECT d.id FROM %s STRAIGHT_JOIN %s d %s ON d.id = w.id".formatted(IDS, this.deadLetter,
				BY_ID);
		this.stuckMessages = new Aim("""
				SELECT m.id, m.message_id, m.partition_key, m.payload_size AS bytes %s
				AND m.failed_at <= CAST(? AS DATETIME(6)) AND %%s ORDER BY f.id LIMIT ?""".formatted(this.stuck),
				List.of(), givenMessages + " " + dialect.lockOf("m") + " SKIP LOCKED",
				givenMessages + " WHERE m.failed_at IS NOT NULL",
				givenMessages + " WHERE m.failed_at <= CAST(? AS DATETIME(6)) AND " + isHead);
		this.deadLetters = new Aim(
				"""
						SELECT d.id, d.message_id, d.partition_key, LENGTH(d.payload) AS bytes FROM %s d FORCE INDEX (%%s)
						WHERE d.id > ? AND d.dead_at <= CAST(? AS DATETIME(6)) AND %%s ORDER BY d.id LIMIT ?"""
					.formatted(this.deadLetter),
				List.of(), givenLetters + " " + dialect.lockOf("d") + " SKIP LOCKED", givenLetters,
				givenLetters + " WHERE d.dead_at <= CAST(? AS DATETIME(6))");
		this.stretchOfFailed = SELECT + """
				COUNT(*) AS looked, MAX(id) AS last FROM (SELECT id FROM %s %s WHERE id > ? ORDER BY id LIMIT ?) w"""
			.formatted(this.failed, BY_ID);
		this.retry = """
				UPDATE %s STRAIGHT_JOIN %s m %s ON m.id = w.id
				SET m.attempts = 0, m.last_error = NULL, m.failed_at = NULL, m.available_at = %s""".formatted(IDS,
				this.message, BY_ID, NOW);
		this.requeue = """
				INSERT INTO %s (message_id, name, partition_key, exchange, routing_key, content_type, payload, headers,
				created_at, available_at)
				SELECT d.message_id, d.name, d.partition_key, d.exchange, d.routing_key, d.content_type, d.payload, d.headers,
				d.created_at, %s FROM %s STRAIGHT_JOIN %s d %s ON d.id = w.id ORDER BY w.id"""
			.formatted(this.message, NOW, IDS, this.deadLetter, BY_ID);
		this.discard = "DELETE d FROM %s STRAIGHT_JOIN %s d %s ON d.id = w.id".formatted(IDS, this.deadLetter, BY_ID);
	}

	Aim stuckMessages(MessageSelection selection) {
		Aim aim = this.stuckMessages;
		return new Aim(aim.look().formatted(condition("m", selection)), value(selection), aim.lock(), aim.there(),
				aim.verify());
	}

	Aim deadLetters(MessageSelection selection) {
		Aim aim = this.deadLetters;
		return new Aim(aim.look().formatted(deadLetterIndex(selection), condition("d", selection)), value(selection),
				aim.lock(), aim.there(), aim.verify());
	}

	/**
	 * A page of messages that are stalled, or of those that are blocked, from a stretch
	 * of what has failed.
	 */
	String listStuck(MessageSelection selection) {
		return """
				%s, %s AS failed, IF(%s, NULL, %s) AS retry %s
				AND f.id <= ? AND (%s) = ? AND %s ORDER BY f.id LIMIT ?""".formatted(summary("m"),
				MICROS.formatted("m.failed_at"), BLOCKED, MICROS.formatted("m.available_at"), this.stuck, BLOCKED,
				condition("m", selection));
	}

	/**
	 * A page of dead letters.
	 */
	String listDeadLetters(MessageSelection selection) {
		return """
				%s, %s AS dead FROM %s d FORCE INDEX (%s) WHERE d.id > ? AND %s ORDER BY d.id LIMIT ?""".formatted(
				summary("d"), MICROS.formatted("d.dead_at"), this.deadLetter, deadLetterIndex(selection),
				condition("d", selection));
	}

	/**
	 * How many messages of a key are behind a position, counted up to a limit.
	 */
	String countBehind() {
		return SELECT + """
				COUNT(*) FROM (SELECT 1 FROM %s FORCE INDEX (%s_key) WHERE partition_key = ? AND id > ? LIMIT ?) b"""
			.formatted(this.message, this.message);
	}

	static List<String> value(MessageSelection selection) {
		return (selection.by() != MessageSelection.By.NOTHING) ? List.of(selection.value()) : List.of();
	}

	private String deadLetterIndex(MessageSelection selection) {
		return switch (selection.by()) {
			case MESSAGE_ID -> this.deadLetter + "_message";
			case PARTITION_KEY -> this.deadLetter + "_key";
			case NAME -> this.deadLetter + "_name";
			case NOTHING -> "PRIMARY";
		};
	}

}
