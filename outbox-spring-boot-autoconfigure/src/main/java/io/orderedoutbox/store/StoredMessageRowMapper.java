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
 */
final class StoredMessageRowMapper implements RowMapper<StoredMessage> {

	static final StoredMessageRowMapper INSTANCE = new StoredMessageRowMapper();

	private static final UUID UNREADABLE = new UUID(0, 0);

	private static final Destination NOWHERE = new Destination("", "");

	@Override
	public StoredMessage mapRow(ResultSet rs, int index) throws SQLException {
		long id = rs.getLong("id");
		int attempts = rs.getInt("attempts");
		// Counted by the database from the epoch: no time zone of a driver or a session
		// has a say
		Instant createdAt = Instant.EPOCH.plus(rs.getLong("created_micros"), ChronoUnit.MICROS);
		try {
			return new StoredMessage(id, message(rs), createdAt, attempts, null);
		}
		catch (RuntimeException ex) {
			Message unreadable = new Message(UNREADABLE, rs.getString("name"), rs.getString("partition_key"), NOWHERE,
					"", new byte[0], Map.of());
			return new StoredMessage(id, unreadable, createdAt, attempts, "the row is damaged: " + ex);
		}
	}

	private static Message message(ResultSet rs) throws SQLException {
		UUID messageId = UUID.fromString(rs.getString("message_id"));
		Destination destination = new Destination(rs.getString("exchange"), rs.getString("routing_key"));
		return new Message(messageId, rs.getString("name"), rs.getString("partition_key"), destination,
				rs.getString("content_type"), rs.getBytes("payload"), Headers.read(rs.getString("headers")));
	}

}
