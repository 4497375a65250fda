/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.testing;

import io.orderedoutbox.servers.Servers;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Lets keys have failed as a relay does it: the key is parked, and all of its messages
 * are in a lane of their own.
 */
public final class FailedKey {

	/** When a key is due that waits for an operator. */
	public static final String NEVER = "'9999-12-31'";

	private FailedKey() {
	}

	/**
	 * Let the first message of a key have failed.
	 * @param availableAt when the key is due, in SQL
	 */
	public static void fail(JdbcClient jdbc, String key, String availableAt) {
		jdbc.sql(
				"UPDATE outbox_message SET attempts = 3, last_error = 'no such exchange', failed_at = UTC_TIMESTAMP(6) "
						+ "WHERE id = (SELECT w.id FROM (SELECT MIN(id) AS id FROM outbox_message WHERE partition_key = ?) w)")
			.param(key)
			.update();
		jdbc.sql(
				"""
						INSERT INTO outbox_parked (lane, partition_id, key_hash, partition_key, available_at)
						SELECT -MIN(id), lane, CRC32(partition_key), partition_key, UTC_TIMESTAMP(6) FROM outbox_message
						WHERE lane >= 0 AND partition_key = :key AND NOT EXISTS (SELECT 1 FROM outbox_parked WHERE partition_key = :key)
						GROUP BY lane, partition_key""")
			.param("key", key)
			.update();
		jdbc.sql("UPDATE outbox_parked SET available_at = " + availableAt + " WHERE partition_key = ?")
			.param(key)
			.update();
		jdbc.sql(
				"UPDATE outbox_message m SET lane = (SELECT k.lane FROM outbox_parked k WHERE k.partition_key = m.partition_key) "
						+ "WHERE m.lane >= 0 AND EXISTS (SELECT 1 FROM outbox_parked k WHERE k.partition_key = m.partition_key)")
			.update();
		jdbc.sql("UPDATE outbox_partition p SET retry_at = (SELECT MIN(k.available_at) FROM outbox_parked k "
				+ "WHERE k.partition_id = p.id)")
			.update();
	}

}
