package io.orderedoutbox.jdbc.admin;

import java.util.List;

import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.MessageSelection.By;
import io.orderedoutbox.jdbc.OutboxDatabase;

import static io.orderedoutbox.jdbc.SqlFragments.BY_ID;
import static io.orderedoutbox.jdbc.SqlFragments.IDS;
import static io.orderedoutbox.jdbc.SqlFragments.LOOK;
import static io.orderedoutbox.jdbc.SqlFragments.MICROS;
import static io.orderedoutbox.jdbc.SqlFragments.NOW;
import static io.orderedoutbox.jdbc.SqlFragments.PLACES;
import static io.orderedoutbox.jdbc.admin.InspectionStatements.condition;
import static io.orderedoutbox.jdbc.admin.InspectionStatements.summary;
import static io.orderedoutbox.jdbc.admin.ParkedKeyFragments.BLOCKED;
import static io.orderedoutbox.jdbc.admin.ParkedKeyFragments.SINCE;
import static io.orderedoutbox.jdbc.admin.ParkedKeyFragments.STUCK;

/**
 * The statements of an operator, with the names of the tables filled in.
 * <p>
 * None of them looks for messages in the outbox itself, which has no index to find them
 * by: the parked keys lead to them, two lookups by primary key for each. A parked key
 * whose lane is empty, because an operator has deleted its messages by hand, is passed
 * by.
 */
final class AdministrationStatements {

	// How long a verb waits for a partition, in seconds
	private static final int LOCK_WAIT = 3;

	private final OutboxDatabase database;

	private final String prefix;

	private final boolean ordered;

	/** The time by which a call goes. */
	final String now = "SELECT CAST(%s AS CHAR)".formatted(NOW);

	/** Has a session wait for a lock only a moment. */
	final String limitLockWait = """
			SET @outbox_lock_wait = @@SESSION.innodb_lock_wait_timeout,
			SESSION innodb_lock_wait_timeout = %d""".formatted(LOCK_WAIT);

	/** Gives a session back how long it waited for a lock before that. */
	final String restoreLockWait = "SET SESSION innodb_lock_wait_timeout = @outbox_lock_wait, @outbox_lock_wait = NULL";

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

	/** Removes lanes. */
	final String closeLanes;

	/** Counts messages in a lane, up to a limit. */
	final String countLane;

	/**
	 * How many parked keys there are behind a lane, up to a limit, and the lane of the
	 * last of these.
	 */
	final String rangeOfParkedKeys;

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
		this.prefix = database.tablePrefix();
		this.ordered = ordered;
		String message = this.prefix + "message";
		String parked = this.prefix + "parked";
		String givenMessages = "%s STRAIGHT_JOIN %s m %s ON m.lane = w.lane AND m.id = w.id".formatted(PLACES, message,
				BY_ID);
		String givenLanes = "%s STRAIGHT_JOIN %s k %s ON k.lane = w.id".formatted(IDS, parked, BY_ID);
		String givenLetters = "%s STRAIGHT_JOIN %sdead_letter d %s ON d.id = w.id".formatted(IDS, this.prefix, BY_ID);
		this.lockFreePartitions = database.statements().lockPartitions + " SKIP LOCKED";
		this.verifyStuck = """
				SELECT m.id FROM %s STRAIGHT_JOIN %s k %s ON k.lane = m.lane
				WHERE m.id = %s AND %s AND %s <= CAST(? AS DATETIME(6))""".formatted(givenMessages, parked, BY_ID,
				ParkedKeyFragments.head(this.prefix, "m.lane"), STUCK, SINCE);
		this.forgetFailure = "UPDATE %s SET m.attempts = 0, m.last_error = NULL, m.failed_at = NULL"
			.formatted(givenMessages);
		this.makeDue = "UPDATE %s SET k.available_at = %s".formatted(givenLanes, NOW);
		this.emptyLanes = "SELECT w.id FROM %s WHERE %s IS NULL".formatted(IDS,
				ParkedKeyFragments.head(this.prefix, "w.id"));
		this.closeLanes = "DELETE k FROM " + givenLanes;
		this.countLane = LOOK
				+ "COUNT(*) FROM (SELECT 1 FROM %s %s WHERE lane = ? LIMIT ?) w".formatted(message, BY_ID);
		this.rangeOfParkedKeys = LOOK + """
				COUNT(*) AS looked, MIN(lane) AS last FROM
				(SELECT lane FROM %s %s WHERE lane < ? ORDER BY lane DESC LIMIT ?) w""".formatted(parked, BY_ID);
		this.lockDeadLetters = "SELECT d.id FROM %s %s SKIP LOCKED".formatted(givenLetters,
				database.dialect().lockOf("d"));
		this.verifyDeadLetters = "SELECT d.id FROM %s WHERE d.dead_at <= CAST(? AS DATETIME(6))"
			.formatted(givenLetters);
		this.requeue = """
				INSERT INTO %s (lane, message_id, name, partition_key, exchange, routing_key, content_type, payload, headers,
				created_at, available_at)
				SELECT w.lane, d.message_id, d.name, d.partition_key, d.exchange, d.routing_key, d.content_type, d.payload,
				d.headers, d.created_at, %s FROM %s STRAIGHT_JOIN %sdead_letter d %s ON d.id = w.id ORDER BY w.id"""
			.formatted(message, NOW, PLACES, this.prefix, BY_ID);
		this.discard = "DELETE d FROM " + givenLetters;
	}

	/**
	 * The next messages behind a lane that are stuck since a given time.
	 */
	String nextStuck(MessageSelection selection) {
		return """
				SELECT -k.lane AS position, m.id, k.partition_id, m.message_id, m.partition_key, m.payload_size AS bytes
				FROM %s WHERE k.lane < ? AND %s AND %s <= CAST(? AS DATETIME(6)) AND %s ORDER BY k.lane DESC LIMIT ?"""
			.formatted(heads(selection), STUCK, SINCE, condition("m", selection));
	}

	/**
	 * A page of messages that are stalled, or of those that are blocked, from a range of
	 * lanes.
	 */
	String listStuck(MessageSelection selection) {
		return """
				%s, %s AS failed, IF(%s, NULL, %s) AS retry, k.lane
				FROM %s WHERE k.lane < ? AND k.lane >= ? AND (%s) = ? AND %s AND %s ORDER BY k.lane DESC LIMIT ?"""
			.formatted(summary("m"), MICROS.formatted(SINCE), BLOCKED, MICROS.formatted("k.available_at"),
					heads(selection), BLOCKED, STUCK, condition("m", selection));
	}

	/**
	 * Whether all that is selected is of one key whose order is kept.
	 */
	boolean isOfOneKey(MessageSelection selection) {
		return ParkedKeyFragments.isOfOneKey(selection, this.ordered);
	}

	private String heads(MessageSelection selection) {
		String parkedKeys = isOfOneKey(selection) ? ParkedKeyFragments.ofKey(this.database, selection.value())
				: ParkedKeyFragments.all(this.prefix);
		return parkedKeys + " " + ParkedKeyFragments.joinHead(this.prefix);
	}

	/**
	 * The next dead letters behind a position that were dead at a given time.
	 */
	String nextDeadLetters(MessageSelection selection) {
		return """
				SELECT d.id, d.message_id, d.partition_key, LENGTH(d.payload) AS bytes FROM %sdead_letter d FORCE INDEX (%s)
				WHERE d.id > ? AND d.dead_at <= CAST(? AS DATETIME(6)) AND %s ORDER BY d.id LIMIT ?"""
			.formatted(this.prefix, deadLetterIndex(selection), condition("d", selection));
	}

	/**
	 * A page of dead letters.
	 */
	String listDeadLetters(MessageSelection selection) {
		return """
				%s, %s AS dead FROM %sdead_letter d FORCE INDEX (%s) WHERE d.id > ? AND %s ORDER BY d.id LIMIT ?"""
			.formatted(summary("d"), MICROS.formatted("d.dead_at"), this.prefix, deadLetterIndex(selection),
					condition("d", selection));
	}

	private String deadLetterIndex(MessageSelection selection) {
		String index = this.prefix + "dead_letter_";
		return switch (selection.by()) {
			case MESSAGE_ID -> index + "message";
			case PARTITION_KEY -> index + "key";
			case NAME -> index + "name";
			case NOTHING -> "PRIMARY";
		};
	}

	static List<String> value(MessageSelection selection) {
		return (selection.by() != By.NOTHING) ? List.of(selection.value()) : List.of();
	}

}
