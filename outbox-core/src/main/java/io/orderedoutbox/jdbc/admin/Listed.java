/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

import io.orderedoutbox.admin.MessageContent;
import io.orderedoutbox.admin.MessageState;
import io.orderedoutbox.admin.MessageSummary;
import io.orderedoutbox.admin.OutboxPage;
import io.orderedoutbox.jdbc.Headers;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

import org.springframework.jdbc.core.RowMapper;

/**
 * A row of a list, and its position in the list.
 */
record Listed(long position, MessageSummary message) {

	static final RowMapper<Listed> MESSAGE = (rs, index) -> new Listed(rs.getLong("position"), summary(rs));

	static final RowMapper<MessageContent> CONTENT = (rs, index) -> new MessageContent(summary(rs),
			rs.getString("content_type"), headers(rs.getString("headers")), rs.getBytes("payload"), rs.getLong("size"));

	/**
	 * A page of the first ones, of which one more than it can hold was asked for.
	 * @param size how many it can hold
	 * @param listed what was found
	 * @param end where the next page begins if there are no more than these
	 */
	static OutboxPage page(int size, List<Listed> listed, @Nullable Long end) {
		boolean more = listed.size() > size;
		List<Listed> shown = more ? listed.subList(0, size) : listed;
		Long next = more ? Long.valueOf(shown.get(size - 1).position()) : end;
		return new OutboxPage(shown.stream().map(Listed::message).toList(),
				(next != null) ? String.valueOf(next) : null);
	}

	// Another statement has to count what waits behind the message
	private static MessageSummary summary(ResultSet rs) throws SQLException {
		return new MessageSummary(rs.getString("message_id"), rs.getString("name"), rs.getString("partition_key"),
				rs.getString("exchange"), rs.getString("routing_key"), rs.getInt("attempts"),
				rs.getString("last_error"), time(rs, "created"), MessageState.valueOf(rs.getString("state")),
				timeOrNull(rs, "since"), timeOrNull(rs, "retry"), timeOrNull(rs, "deliver"), 0);
	}

	private static Map<String, Object> headers(@Nullable String column) {
		try {
			return Headers.read(column);
		}
		catch (JacksonException | IllegalArgumentException ex) {
			return Map.of(MessageContent.UNREADABLE, String.valueOf(column));
		}
	}

	private static @Nullable Instant timeOrNull(ResultSet rs, String column) throws SQLException {
		return (rs.getObject(column) != null) ? time(rs, column) : null;
	}

	// Counted by the database from the epoch: no time zone of a driver or a session has a
	// say
	private static Instant time(ResultSet rs, String column) throws SQLException {
		return Instant.EPOCH.plus(rs.getLong(column), ChronoUnit.MICROS);
	}

}
