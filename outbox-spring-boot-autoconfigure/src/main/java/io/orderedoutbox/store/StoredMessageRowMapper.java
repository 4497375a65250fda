package io.orderedoutbox.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;

import io.orderedoutbox.Destination;

import org.springframework.jdbc.core.RowMapper;

/**
 * Reads a message. One whose row has been damaged still has its place in the order: it is
 * returned with its defect, and fails like any other that cannot be sent.
 * <p>
 * Columns are read by number, in the order of {@link OutboxStatements#load}: finding one
 * by its name takes longer than reading it.
 */
final class StoredMessageRowMapper implements RowMapper<StoredMessage> {

	static final StoredMessageRowMapper INSTANCE = new StoredMessageRowMapper();

	private static final UUID UNREADABLE = new UUID(0, 0);

	private static final Destination NOWHERE = new Destination("", "");

	@Override
	public StoredMessage mapRow(ResultSet rs, int index) throws SQLException {
		long id = rs.getLong(1);
		int attempts = rs.getInt(10);
		// Counted by the database from the epoch: no time zone of a driver or a session
		// has a say
		Instant createdAt = Instant.EPOCH.plus(rs.getLong(11), ChronoUnit.MICROS);
		try {
			return new StoredMessage(id, message(rs), createdAt, attempts, null);
		}
		catch (RuntimeException ex) {
			Message unreadable = new Message(UNREADABLE, rs.getString(3), rs.getString(4), NOWHERE, "", new byte[0],
					Map.of());
			return new StoredMessage(id, unreadable, createdAt, attempts, "the row is damaged: " + ex);
		}
	}

	static boolean hasFailedBefore(ResultSet rs) throws SQLException {
		return rs.getBoolean(12);
	}

	private static Message message(ResultSet rs) throws SQLException {
		UUID messageId = UUID.fromString(rs.getString(2));
		Destination destination = new Destination(rs.getString(5), rs.getString(6));
		return new Message(messageId, rs.getString(3), rs.getString(4), destination, rs.getString(7), rs.getBytes(8),
				Headers.read(rs.getString(9)));
	}

}
