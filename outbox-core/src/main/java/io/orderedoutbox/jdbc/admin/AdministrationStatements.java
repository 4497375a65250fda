package io.orderedoutbox.jdbc.admin;

import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.SqlFragments;

import static io.orderedoutbox.jdbc.SqlFragments.BY_ID;
import static io.orderedoutbox.jdbc.SqlFragments.IDS;
import static io.orderedoutbox.jdbc.SqlFragments.NOW;
import static io.orderedoutbox.jdbc.SqlFragments.PLACES;
import static io.orderedoutbox.jdbc.admin.ParkedKeyFragments.SINCE;
import static io.orderedoutbox.jdbc.admin.ParkedKeyFragments.STUCK;
import static io.orderedoutbox.jdbc.admin.SelectionFragments.condition;
import static io.orderedoutbox.jdbc.admin.SelectionFragments.index;

/**
 * The statements of the verbs, with the names of the tables filled in.
 * <p>
 * None of them looks for messages in the outbox itself, which has no index to find them
 * by: the parked keys lead to them, two lookups by primary key for each. A parked key
 * whose lane is empty, because an operator has deleted its messages by hand, is passed
 * by.
 */
final class AdministrationStatements {

	/**
	 * Lets a message {@code m} not wait for its time. What has failed was sent before,
	 * and would wait again if it is as if it had never failed.
	 */
	static final String AVAILABLE = "m.available_at = LEAST(m.available_at, %s)".formatted(NOW);

	private final OutboxDatabase database;

	private final String deadLetter;

	private final boolean ordered;

	/** The time by which a call goes. */
	final String now = "SELECT CAST(%s AS CHAR)".formatted(NOW);

	/** Locks those of the given partitions that no other transaction has locked. */
	final String lockFreePartitions;

	/** Which of the given messages are still stuck since a given time. */
	final String verifyStuck;

	/** Lets messages be as if they had never failed. */
	final String forgetFailure;

	/** Makes lanes due. */
	final String makeDue;

	/** Which of the given lanes are empty. */
	final String emptyLanes;

	/** Locks those of the given dead letters that no other transaction has locked. */
	final String lockDeadLetters;

	/** Which of the given dead letters are still there, dead since a given time. */
	final String verifyDeadLetters;

	/** Appends dead letters to the outbox, in their order. */
	final String requeue;

	/** Deletes dead letters. */
	final String discard;

	AdministrationStatements(OutboxDatabase database, boolean ordered) {
		this.database = database;
		this.ordered = ordered;
		String prefix = database.tablePrefix();
		String message = prefix + "message";
		String parked = prefix + "parked";
		this.deadLetter = prefix + "dead_letter";
		String givenMessages = SqlFragments.messagesAtPlaces(message);
		String givenLetters = "%s STRAIGHT_JOIN %s d %s ON d.id = w.id".formatted(IDS, this.deadLetter, BY_ID);
		this.lockFreePartitions = database.statements().lockPartitions + " SKIP LOCKED";
		this.verifyStuck = """
				SELECT m.id FROM %s STRAIGHT_JOIN %s k %s ON k.lane = m.lane
				WHERE m.id = %s AND %s AND %s <= CAST(? AS DATETIME(6))""".formatted(givenMessages, parked, BY_ID,
				ParkedKeyFragments.head(prefix, "m.lane"), STUCK, SINCE);
		this.forgetFailure = "UPDATE %s SET m.attempts = 0, m.last_error = NULL, m.failed_at = NULL, %s"
			.formatted(givenMessages, AVAILABLE);
		this.makeDue = "UPDATE %s SET k.available_at = %s".formatted(SqlFragments.keysOfLanes(parked), NOW);
		this.emptyLanes = "SELECT w.id FROM %s WHERE %s IS NULL".formatted(IDS,
				ParkedKeyFragments.head(prefix, "w.id"));
		this.lockDeadLetters = "SELECT d.id FROM %s %s SKIP LOCKED".formatted(givenLetters,
				database.dialect().lockOf("d"));
		this.verifyDeadLetters = "SELECT d.id FROM %s WHERE d.dead_at <= CAST(? AS DATETIME(6))"
			.formatted(givenLetters);
		this.requeue = """
				INSERT INTO %s (lane, message_id, name, partition_key, exchange, routing_key, content_type, payload, headers,
				created_at, available_at)
				SELECT w.lane, d.message_id, d.name, d.partition_key, d.exchange, d.routing_key, d.content_type, d.payload,
				d.headers, d.created_at, %s FROM %s STRAIGHT_JOIN %s d %s ON d.id = w.id ORDER BY w.id"""
			.formatted(message, NOW, PLACES, this.deadLetter, BY_ID);
		this.discard = "DELETE d FROM " + givenLetters;
	}

	/**
	 * The next messages behind a lane that are stuck since a given time.
	 */
	String nextStuck(MessageSelection selection) {
		return """
				SELECT -k.lane AS position, m.id, k.partition_id, m.message_id, m.partition_key, m.payload_size AS bytes,
				m.exchange, m.routing_key, m.last_error FROM %s WHERE k.is_delayed = FALSE AND k.lane < ? AND %s AND %s <= CAST(? AS DATETIME(6)) AND %s ORDER BY k.lane DESC LIMIT ?"""
			.formatted(ParkedKeyFragments.heads(this.database, this.ordered, selection), STUCK, SINCE,
					condition("m", selection));
	}

	/**
	 * The next dead letters behind a position that were dead at a given time.
	 */
	String nextDeadLetters(MessageSelection selection) {
		return """
				SELECT d.id, d.message_id, d.partition_key, LENGTH(d.payload) AS bytes, d.exchange, d.routing_key,
				d.last_error FROM %s d FORCE INDEX (%s) WHERE d.id > ? AND d.dead_at <= CAST(? AS DATETIME(6)) AND %s ORDER BY d.id LIMIT ?"""
			.formatted(this.deadLetter, index(this.deadLetter, selection), condition("d", selection));
	}

}
