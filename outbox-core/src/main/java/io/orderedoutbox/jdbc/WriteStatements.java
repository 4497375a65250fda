package io.orderedoutbox.jdbc;

import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

import io.orderedoutbox.store.Delay;

import static io.orderedoutbox.jdbc.SqlFragments.BY_ID;
import static io.orderedoutbox.jdbc.SqlFragments.IDS;
import static io.orderedoutbox.jdbc.SqlFragments.NOW;

/**
 * The statements by which messages come into the outbox, with the names of the tables
 * filled in.
 * <p>
 * Those that lock a stripe and insert a row in one go take the position when they insert
 * the row, which is after they have locked the stripe.
 */
final class WriteStatements {

	// In the sessions of applications: see SqlFragments
	private static final String TEXT = "FROM_BASE64(?)";

	private static final String KEPT_VALUES = values("?", NOW);

	// MySQL's driver would write bytes as hexadecimal digits, one at a time
	private static final String PAYLOAD = "FROM_BASE64(?)";

	private static final String VALUES = values(PAYLOAD, NOW);

	/**
	 * Locks stripes, in the order given, and waits for each of them, whatever the session
	 * limits.
	 */
	final String lockStripes;

	/** Locks the first stripe from a number on that no transaction holds. */
	final String lockFreeStripe;

	/** The beginning of an INSERT, to be followed by rows. */
	private final String insert;

	/** Inserts one row in a partition whose stripe it locks, whatever the values are. */
	private final String ofStripe;

	/** Locks a stripe and inserts one row in its partition. */
	final String lockAndInsert;

	/** The same for {@link KeptStatements}, with the payload as bytes. */
	final String keptLockAndInsert;

	/** Inserts one row in a partition if no transaction holds its stripe. */
	final String insertIfFree;

	/** The same for {@link KeptStatements}, with the payload as bytes. */
	final String keptInsertIfFree;

	WriteStatements(Dialect dialect, String prefix) {
		String message = prefix + "message";
		String stripe = prefix + "stripe";
		this.lockStripes = "SELECT /*+ SET_VAR(sql_big_selects = ON) */ s.id FROM %s STRAIGHT_JOIN %s s %s ON s.id = w.id LIMIT %d %s"
			.formatted(dialect.inAnySession(IDS), stripe, BY_ID, Partitions.MAX_COUNT, dialect.lockOf("s"));
		this.lockFreeStripe = "SELECT id FROM %s %s WHERE id >= ? ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED"
			.formatted(stripe, BY_ID);
		String insert = """
				INSERT INTO %s (lane, message_id, name, partition_key, exchange, routing_key, content_type, payload, headers,
				created_at, available_at)\s"""
			.formatted(message);
		this.insert = insert + "VALUES ";
		this.ofStripe = insert + "SELECT s.id, %%s FROM %s s %s WHERE s.id = ? FOR UPDATE".formatted(stripe, BY_ID);
		this.lockAndInsert = this.ofStripe.formatted(VALUES);
		this.keptLockAndInsert = this.ofStripe.formatted(KEPT_VALUES);
		this.insertIfFree = this.lockAndInsert + " SKIP LOCKED";
		this.keptInsertIfFree = this.keptLockAndInsert + " SKIP LOCKED";
	}

	// Message ids and names are ASCII
	private static String values(String payload, String availableAt) {
		return "?, ?, %1$s, %1$s, %1$s, %1$s, %2$s, %1$s, %3$s, %4$s".formatted(TEXT, payload, NOW, availableAt);
	}

	/** Inserts one row for each of some delays. */
	String insert(List<Delay> rows) {
		return this.insert
				+ rows.stream().map((delay) -> "(?, " + values(delay) + ")").collect(Collectors.joining(", "));
	}

	/** The same as {@link #lockAndInsert}, of a message that waits. */
	String lockAndInsert(Delay delay) {
		return this.ofStripe.formatted(values(delay));
	}

	/** The same as {@link #insertIfFree}, of a message that waits. */
	String insertIfFree(Delay delay) {
		return lockAndInsert(delay) + " SKIP LOCKED";
	}

	private static String values(Delay delay) {
		return delay.isNone() ? VALUES : values(PAYLOAD, availableAt(delay));
	}

	// What is over when the message is stored delays nothing
	private static String availableAt(Delay delay) {
		Instant until = delay.until();
		if (until == null) {
			return "TIMESTAMPADD(MICROSECOND, %d, %s)".formatted(delay.duration().toNanos() / 1_000, NOW);
		}
		return "GREATEST(%s, %s)".formatted(SqlFragments.time(until), NOW);
	}

}
