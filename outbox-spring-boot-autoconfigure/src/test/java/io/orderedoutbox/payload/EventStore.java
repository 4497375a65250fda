/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.payload;

import java.nio.charset.StandardCharsets;
import java.sql.Types;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Loads payloads from the table of an event store, with one statement for a batch: the
 * example of docs/payloads.md.
 */
final class EventStore implements PayloadSource {

	private final JdbcClient jdbc;

	EventStore(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	void createTable() {
		this.jdbc.sql("CREATE TABLE event_store (id VARCHAR(36) PRIMARY KEY, name VARCHAR(190), body VARCHAR(2000))")
			.update();
	}

	void append(String id, String name, String json) {
		this.jdbc.sql("INSERT INTO event_store (id, name, body) VALUES (?, ?, ?)").params(id, name, json).update();
	}

	@Override
	public Map<PayloadReference, LoadedPayload> load(Collection<PayloadReference> references) {
		// No id of this store is longer, and no longer one need be asked for
		List<String> ids = references.stream().map(PayloadReference::id).filter((id) -> id.length() <= 36).toList();
		Map<PayloadReference, LoadedPayload> loaded = new HashMap<>();
		if (!ids.isEmpty()) {
			this.jdbc.sql("SELECT id, name, body FROM event_store WHERE id IN (:ids)")
				.param("ids", ids, Types.VARCHAR)
				.query((row) -> {
					PayloadReference reference = new PayloadReference(row.getString("name"), row.getString("id"));
					loaded.put(reference, new LoadedPayload(row.getString("body").getBytes(StandardCharsets.UTF_8),
							"application/json"));
				});
		}
		loaded.keySet().retainAll(references);
		return loaded;
	}

}
