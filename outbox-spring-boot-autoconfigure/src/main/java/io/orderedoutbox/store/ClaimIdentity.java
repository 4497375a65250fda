package io.orderedoutbox.store;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.jdbc.core.RowMapper;

/**
 * Who claims, on which server, and when.
 *
 * @param connectionId the connection that has the locks
 * @param server what tells the server from another
 * @param time the time of the database
 */
record ClaimIdentity(long connectionId, String server, @Nullable StoreTime time) {

	static final ClaimIdentity UNKNOWN = new ClaimIdentity(0, "", null);

	static final RowMapper<ClaimIdentity> MAPPER = (row, index) -> {
		if (row.getBoolean("read_only")) {
			// What is sent could not be removed, and would be sent again and again
			throw new TransientDataAccessResourceException(
					"The database is read-only: a replica, or no longer the primary");
		}
		Instant now = Instant.EPOCH.plus(row.getLong("store_time"), ChronoUnit.MICROS);
		return new ClaimIdentity(row.getLong("id"), row.getString("server"), new StoreTime(now, System.nanoTime()));
	};

	boolean isOfSameConnection(ClaimIdentity other) {
		return this.connectionId == other.connectionId && this.server.equals(other.server);
	}

}
