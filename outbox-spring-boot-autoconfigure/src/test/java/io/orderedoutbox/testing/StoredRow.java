/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.testing;

import java.nio.charset.StandardCharsets;
import java.util.List;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A row of the outbox as it is in the database.
 */
public record StoredRow(long id, String messageId, String name, String partitionKey, String exchange, String routingKey,
		String contentType, byte[] payload, String headers, int attempts) {

	/**
	 * All rows, in the order of their positions.
	 */
	public static List<StoredRow> in(JdbcClient jdbc) {
		return jdbc.sql("SELECT * FROM outbox_message ORDER BY id").query(StoredRow.class).list();
	}

	public String text() {
		return new String(this.payload, StandardCharsets.UTF_8);
	}

}
