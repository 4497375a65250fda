/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import io.orderedoutbox.Destination;
import io.orderedoutbox.jdbc.dialect.SqlFragments;
import io.orderedoutbox.store.Defect;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;

/**
 * Reads messages. A message whose row has been damaged still has its place in the order:
 * it is returned with its defect, and fails like any other that cannot be sent.
 * <p>
 * Columns are read by number: finding one by its name takes longer than reading it.
 */
public final class MessageRow {

	/** The first column behind {@link #columns these}. */
	public static final int NEXT_COLUMN = 14;

	private static final byte[] NOTHING = {};

	private static final UUID UNREADABLE = new UUID(0, 0);

	private static final Destination NOWHERE = new Destination("", "");

	private MessageRow() {
	}

	/**
	 * What {@link #read} reads, of a table with the alias {@code m}: the first columns of
	 * the SELECT.
	 * @param payload an expression for the payload
	 */
	public static String columns(SqlFragments sql, String payload) {
		return """
				m.id, m.message_id, m.name, m.partition_key, m.exchange, m.routing_key, m.content_type, %s,
				m.headers, m.attempts, %s, COALESCE(POSITION('%s' IN m.last_error) = 1, FALSE), %s""".formatted(payload,
				sql.micros("m.created_at"), StoredMessage.NOT_REMOVED, sql.micros("m.available_at"));
	}

	/**
	 * Read a message.
	 * @param rs on the row
	 * @return the message, with an empty payload if that is null
	 * @throws SQLException if a column cannot be read
	 */
	public static StoredMessage read(ResultSet rs) throws SQLException {
		long id = rs.getLong(1);
		int attempts = rs.getInt(10);
		// Counted by the database from the epoch: no time zone of a driver or a session
		// has a say
		Instant createdAt = Instant.EPOCH.plus(rs.getLong(11), ChronoUnit.MICROS);
		try {
			return new StoredMessage(id, message(rs), createdAt, Instant.EPOCH.plus(rs.getLong(13), ChronoUnit.MICROS),
					attempts, null, rs.getBoolean(12));
		}
		catch (RuntimeException ex) {
			Message unreadable = new Message(UNREADABLE, rs.getString(3), rs.getString(4), NOWHERE, "", NOTHING,
					Map.of());
			return new StoredMessage(id, unreadable, createdAt, attempts, Defect.lasting("the row is damaged: " + ex));
		}
	}

	private static Message message(ResultSet rs) throws SQLException {
		UUID messageId = UUID.fromString(rs.getString(2));
		Destination destination = new Destination(rs.getString(5), rs.getString(6));
		return new Message(messageId, rs.getString(3), rs.getString(4), destination, rs.getString(7),
				Objects.requireNonNullElse(rs.getBytes(8), NOTHING), Headers.read(rs.getString(9)));
	}

}
