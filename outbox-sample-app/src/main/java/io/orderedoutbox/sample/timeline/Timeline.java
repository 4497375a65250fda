/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.timeline;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Reads what was committed and what has arrived.
 */
@Component
public class Timeline {

	private final JdbcClient jdbc;

	Timeline(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Return what happened to the events of the given orders.
	 * @param orderIds the orders
	 * @return a timeline for each of the orders, as of one moment
	 */
	@Transactional(readOnly = true)
	public Map<UUID, OrderTimeline> of(Collection<UUID> orderIds) {
		Map<UUID, OrderTimeline> timelines = new HashMap<>();
		orderIds.forEach((id) -> timelines.put(id, new OrderTimeline(new ArrayList<>(), new ArrayList<>())));
		if (!timelines.isEmpty()) {
			readCommitted(timelines);
			readArrived(timelines);
		}
		return timelines;
	}

	private void readCommitted(Map<UUID, OrderTimeline> timelines) {
		this.jdbc.sql("""
				SELECT order_id, version, name, recorded_at
				FROM committed_event
				WHERE order_id IN (:orderIds)
				ORDER BY order_id, version
				""").param("orderIds", ids(timelines)).query((row) -> {
			timelineOf(row, timelines).committed()
				.add(new CommittedEvent(row.getLong("version"), row.getString("name"), instant(row, "recorded_at")));
		});
	}

	private void readArrived(Map<UUID, OrderTimeline> timelines) {
		this.jdbc.sql("""
				SELECT number, order_id, version, name, message_id, verdict, arrived_at
				FROM arrived_event
				WHERE order_id IN (:orderIds)
				ORDER BY number
				""").param("orderIds", ids(timelines)).query((row) -> {
			timelineOf(row, timelines).arrived()
				.add(new ArrivedEvent(row.getLong("number"), row.getLong("version"), row.getString("name"),
						row.getString("message_id"), Verdict.valueOf(row.getString("verdict")),
						instant(row, "arrived_at")));
		});
	}

	private static List<String> ids(Map<UUID, OrderTimeline> timelines) {
		return timelines.keySet().stream().map(UUID::toString).toList();
	}

	private static OrderTimeline timelineOf(ResultSet row, Map<UUID, OrderTimeline> timelines) throws SQLException {
		return timelines.computeIfAbsent(UUID.fromString(row.getString("order_id")),
				(id) -> new OrderTimeline(new ArrayList<>(), new ArrayList<>()));
	}

	private static Instant instant(ResultSet row, String column) throws SQLException {
		return row.getObject(column, LocalDateTime.class).toInstant(ZoneOffset.UTC);
	}

}
