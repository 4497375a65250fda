/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.scenario;

import java.util.HashMap;
import java.util.Map;

import javax.sql.DataSource;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Messages that are written into the outbox's table by SQL, many at a time, by one writer
 * only.
 */
final class Backlog {

	private static final String INSERT = """
			INSERT /*+ SET_VAR(cte_max_recursion_depth = 1000000) */ INTO outbox_message (lane, message_id, name,
			partition_key, exchange, routing_key, content_type, payload, created_at, available_at)
			WITH RECURSIVE rows_wanted (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM rows_wanted WHERE i + 1 < :count)
			SELECT IF(:keyless, i, CRC32(CONCAT(:prefix, i MOD :keys))) MOD :partitions, UUID(),
			'scenario', IF(:keyless, '', CONCAT(:prefix, i MOD :keys)), :exchange, 'scenario', 'text/plain',
			RPAD(CONCAT(:prefix, i MOD :keys, ' ', :version + i DIV :keys, ' ', :number + i, ' '), 200, '.'),
			UTC_TIMESTAMP(6), UTC_TIMESTAMP(6) FROM rows_wanted ORDER BY i""";

	// Each message that waits for another attempt, or for its time, has a lane of its own
	private static final String PARK = """
			INSERT INTO outbox_parked (lane, partition_id, key_hash, partition_key, available_at)
			SELECT -id, lane, CRC32(partition_key), partition_key, TIMESTAMPADD(DAY, 1, UTC_TIMESTAMP(6)) FROM outbox_message
			WHERE lane >= 0 AND partition_key = ?""";

	private static final String MOVE = """
			UPDATE outbox_message m JOIN outbox_parked k ON m.lane = k.partition_id AND m.id = -k.lane SET m.lane = k.lane""";

	private static final String REFRESH = """
			UPDATE outbox_partition p SET p.retry_at = (SELECT MIN(k.available_at) FROM outbox_parked k
			WHERE k.partition_id = p.id)""";

	private final TransactionTemplate transaction;

	private final JdbcClient database;

	private final String exchange;

	private final Map<String, Long> versions = new HashMap<>();

	private long number;

	Backlog(DataSource database, String exchange) {
		this.transaction = new TransactionTemplate(new JdbcTransactionManager(database));
		this.database = JdbcClient.create(database);
		this.exchange = exchange;
	}

	/**
	 * Writes a multiple of as many messages as there are keys: one transaction.
	 * @return the number of the last of them
	 */
	synchronized long add(String prefix, int keys, int count) {
		long version = this.versions.getOrDefault(prefix, 0L);
		insert(prefix, keys, version + 1, count, false);
		this.versions.put(prefix, version + count / keys);
		return this.number;
	}

	/**
	 * Writes messages without a key that are not due for a long time.
	 */
	synchronized void addDelayedKeyless(int count) {
		this.transaction.executeWithoutResult((status) -> {
			lockPartitions();
			insert("keyless", 1, 1, count, true);
			park("");
		});
	}

	/**
	 * Writes a key whose head has failed and waits.
	 */
	synchronized void addStalled(int behind) {
		this.transaction.executeWithoutResult((status) -> {
			lockPartitions();
			insert("stalled", 1, 1, 1, false);
			this.database.sql("""
					UPDATE outbox_message SET attempts = 1, last_error = 'stalled by the scenario',
					failed_at = UTC_TIMESTAMP(6) WHERE partition_key = 'stalled0'""").update();
			park("stalled0");
		});
		insert("stalled", 1, 2, behind, false);
	}

	// As a relay that parks a key does
	private void lockPartitions() {
		this.database.sql("SELECT id FROM outbox_partition ORDER BY id FOR UPDATE").query(Integer.class).list();
	}

	private void park(String key) {
		this.database.sql(PARK).param(key).update();
		this.database.sql(MOVE).update();
		this.database.sql(REFRESH).update();
	}

	private void insert(String prefix, int keys, long version, int count, boolean keyless) {
		// In the INSERT it would wait for relays that own partitions
		int partitions = this.database.sql("SELECT COUNT(*) FROM outbox_partition").query(Integer.class).single();
		this.database.sql(INSERT)
			.param("partitions", partitions)
			.param("count", count)
			.param("keyless", keyless)
			.param("prefix", prefix)
			.param("keys", keys)
			.param("exchange", this.exchange)
			.param("version", version)
			.param("number", this.number + 1)
			.update();
		this.number += count;
	}

	long number() {
		return this.number;
	}

	/**
	 * How many attempts are counted in the table, and how many messages are dead.
	 */
	long failures() {
		return this.database.sql("""
				SELECT (SELECT COALESCE(SUM(attempts), 0) FROM outbox_message)
				+ (SELECT COUNT(*) FROM outbox_dead_letter)""").query(Long.class).single();
	}

	boolean isEmpty() {
		return this.database.sql("SELECT NOT EXISTS (SELECT * FROM outbox_message)").query(Boolean.class).single();
	}

}
