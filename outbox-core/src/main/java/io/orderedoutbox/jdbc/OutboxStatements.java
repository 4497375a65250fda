package io.orderedoutbox.jdbc;

import static io.orderedoutbox.jdbc.SqlFragments.BY_ID;
import static io.orderedoutbox.jdbc.SqlFragments.IDS;
import static io.orderedoutbox.jdbc.SqlFragments.NOW;
import static io.orderedoutbox.jdbc.SqlFragments.PLACES;

/**
 * The statements that relays and operators share, with the names of the tables filled in.
 * Each takes messages by their places, that is lane and position.
 */
public final class OutboxStatements {

	/** Locks partitions, in the order given, and waits for each of them. */
	public final String lockPartitions;

	/** Notes in partitions when the first of their parked keys is due. */
	public final String refreshRetry;

	/** Copies messages to the dead letters. */
	public final String bury;

	/** Copies messages that were published to the archive. */
	public final String archive;

	/** Deletes messages. */
	public final String delete;

	/** Every column and every index of the archive. */
	public final String probeArchive;

	OutboxStatements(Dialect dialect, String prefix) {
		String message = prefix + "message";
		this.lockPartitions = "SELECT p.id FROM %s STRAIGHT_JOIN %spartition p %s ON p.id = w.id %s".formatted(IDS,
				prefix, BY_ID, dialect.lockOf("p"));
		// Not MIN: of a correlated subquery MySQL would read all rows of the partition
		this.refreshRetry = """
				UPDATE %1$s STRAIGHT_JOIN %2$spartition p %3$s ON p.id = w.id
				SET p.retry_at = (SELECT k.available_at FROM %2$sparked k FORCE INDEX (%2$sparked_due)
				WHERE k.partition_id = p.id ORDER BY k.partition_id, k.available_at LIMIT 1)""".formatted(IDS, prefix,
				BY_ID);
		String given = "FROM %s STRAIGHT_JOIN %s m %s ON m.lane = w.lane AND m.id = w.id".formatted(PLACES, message,
				BY_ID);
		this.bury = """
				INSERT INTO %sdead_letter (position, message_id, name, partition_key, exchange, routing_key, content_type, payload,
				headers, created_at, attempts, last_error, failed_at, dead_at)
				SELECT m.id, m.message_id, m.name, m.partition_key, m.exchange, m.routing_key, m.content_type, m.payload,
				m.headers, m.created_at, m.attempts, m.last_error, m.failed_at, %s
				%s"""
			.formatted(prefix, NOW, given);
		this.archive = """
				INSERT INTO %sarchive (position, message_id, name, partition_key, exchange, routing_key, content_type, payload,
				payload_size, headers, created_at, attempts, last_error, published_at)
				SELECT m.id, m.message_id, m.name, m.partition_key, m.exchange, m.routing_key, m.content_type, m.payload,
				m.payload_size, m.headers, m.created_at, m.attempts, m.last_error, %s
				%s"""
			.formatted(prefix, NOW, given);
		this.delete = "DELETE m " + given;
		this.probeArchive = """
				SELECT id, position, message_id, name, partition_key, exchange, routing_key, content_type, payload, payload_size,
				headers, created_at, attempts, last_error, published_at FROM %1$sarchive
				FORCE INDEX (PRIMARY, %1$sarchive_message, %1$sarchive_key, %1$sarchive_name, %1$sarchive_published) WHERE id = 0"""
			.formatted(prefix);
	}

}
