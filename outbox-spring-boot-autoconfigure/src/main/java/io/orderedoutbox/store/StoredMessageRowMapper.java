package io.orderedoutbox.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;

import io.orderedoutbox.Destination;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.RowMapper;

/**
 * Reads a message. One whose row has been damaged still has its place in the order: it is
 * returned with its defect, and fails like any other that cannot be sent.
 */
final class StoredMessageRowMapper implements RowMapper<StoredMessage> {

	static final StoredMessageRowMapper INSTANCE = new StoredMessageRowMapper();

	private static final UUID UNREADABLE = new UUID(0, 0);

	@Override
	public StoredMessage mapRow(ResultSet rs, int index) throws SQLException {
		UUID messageId = UNREADABLE;
		Map<String, String> headers = Map.of();
		String defect = null;
		try {
			messageId = UUID.fromString(rs.getString("message_id"));
			headers = Headers.read(rs.getString("headers"));
		}
		catch (RuntimeException ex) {
			defect = describe(ex);
		}
		Message message = new Message(messageId, rs.getString("name"), rs.getString("partition_key"),
				new Destination(rs.getString("exchange"), rs.getString("routing_key")), rs.getString("content_type"),
				rs.getBytes("payload"), headers);
		// Counted by the database from the epoch: no time zone of a driver or a session
		// has a say
		Instant createdAt = Instant.EPOCH.plus(rs.getLong("created_micros"), ChronoUnit.MICROS);
		return new StoredMessage(rs.getLong("id"), message, createdAt, rs.getInt("attempts"), defect);
	}

	private static @Nullable String describe(RuntimeException ex) {
		return "The row is damaged: " + ex.getMessage();
	}

}
