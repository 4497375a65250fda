/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import io.orderedoutbox.jdbc.dialect.Dialect;
import io.orderedoutbox.jdbc.dialect.SqlFragments;

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
		SqlFragments sql = dialect.sql();
		String partition = prefix + "partition";
		this.lockPartitions = "SELECT p.id FROM %s %s %s".formatted(sql.rowsOfIds(partition, "p"),
				sql.inOrderOf("p.id"), sql.lockOf("p"));
		// Not MIN: of a correlated subquery MySQL would read all rows of the partition
		this.refreshRetry = sql.update(sql.ids(), partition, "p", sql.is("p.id", "w.id"), """
				retry_at = (SELECT k.available_at FROM %1$sparked k %2$s
				WHERE %3$s ORDER BY k.partition_id, k.available_at LIMIT 1)""".formatted(prefix,
				sql.by(prefix + "parked_due"), sql.is("k.partition_id", "p.id")));
		this.closeLanes = sql.delete(sql.ids(), prefix + "parked", "k", sql.is("k.lane", "w.id"));
		String given = sql.messagesAtPlaces(prefix + "message");
		// They get their ids in the order of the list
		String copy = "INSERT INTO %s (position, %s, %s) SELECT m.id, %s, %s, %s FROM %s " + sql.inOrderOf("m.id");
		this.bury = copy.formatted(prefix + "dead_letter", COPIED, "failed_at, dead_at", COPIED, "failed_at", sql.now(),
				given);
		this.archive = copy.formatted(prefix + "archive", COPIED, "payload_size, published_at", COPIED, "payload_size",
				sql.now(), given);
		this.delete = sql.delete(sql.places(), prefix + "message", "m", sql.isAtPlace());
		this.probeArchive = """
				SELECT id, position, message_id, name, partition_key, exchange, routing_key, content_type, payload, payload_size,
				headers, created_at, attempts, last_error, published_at FROM %1$sarchive
				%2$s WHERE id = 0"""
			.formatted(prefix,
					sql.by("PRIMARY, %1$sarchive_message, %1$sarchive_key, %1$sarchive_name, %1$sarchive_published"
						.formatted(prefix)));
	}

}
