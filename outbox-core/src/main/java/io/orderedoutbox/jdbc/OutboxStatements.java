package io.orderedoutbox.jdbc;

import static io.orderedoutbox.jdbc.SqlFragments.BY_ID;
import static io.orderedoutbox.jdbc.SqlFragments.IDS;
import static io.orderedoutbox.jdbc.SqlFragments.NOW;

/**
 * The statements that relays and operators share, with the names of the tables filled in.
 * Those about messages take their places, that is lanes and positions.
 */
public final class OutboxStatements {

	// What a copy of a message has as well
	private static final String COPIED = "message_id, name, partition_key, exchange, routing_key, content_type, payload, "
			+ "headers, created_at, attempts, last_error";

	/** Locks partitions, in the order given, and waits for each of them. */
	public final String lockPartitions;

	/** Notes in partitions when the first of their parked keys is due. */
	public final String refreshRetry;

	/** Copies messages to the dead letters. */
	public final String bury;

	/** Copies messages that were published to the archive. */
	public final String archive;

	/** Unparks keys, of which nothing is left in their lanes. */
	public final String closeLanes;

	/** Deletes messages. */
	public final String delete;

	/** Every column and every index of the archive. */
	public final String probeArchive;

	OutboxStatements(Dialect dialect, String prefix) {
		this.lockPartitions = "SELECT p.id FROM %s STRAIGHT_JOIN %spartition p %s ON p.id = w.id %s".formatted(IDS,
				prefix, BY_ID, dialect.lockOf("p"));
		// Not MIN: of a correlated subquery MySQL would read all rows of the partition
		this.refreshRetry = """
				UPDATE %1$s STRAIGHT_JOIN %2$spartition p %3$s ON p.id = w.id
				SET p.retry_at = (SELECT k.available_at FROM %2$sparked k FORCE INDEX (%2$sparked_due)
				WHERE k.partition_id = p.id ORDER BY k.partition_id, k.available_at LIMIT 1)""".formatted(IDS, prefix,
				BY_ID);
		this.closeLanes = "DELETE k FROM " + SqlFragments.keysOfLanes(prefix + "parked");
		String given = SqlFragments.messagesAtPlaces(prefix + "message");
		String copy = "INSERT INTO %s (position, %s, %s) SELECT m.id, %s, %s, %s FROM %s";
		this.bury = copy.formatted(prefix + "dead_letter", COPIED, "failed_at, dead_at", COPIED, "failed_at", NOW,
				given);
		this.archive = copy.formatted(prefix + "archive", COPIED, "payload_size, published_at", COPIED, "payload_size",
				NOW, given);
		this.delete = "DELETE m FROM " + given;
		this.probeArchive = """
				SELECT id, position, message_id, name, partition_key, exchange, routing_key, content_type, payload, payload_size,
				headers, created_at, attempts, last_error, published_at FROM %1$sarchive
				FORCE INDEX (PRIMARY, %1$sarchive_message, %1$sarchive_key, %1$sarchive_name, %1$sarchive_published) WHERE id = 0"""
			.formatted(prefix);
	}

}
