package io.orderedoutbox.chaos.scenario;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Messages that are written into the outbox's table by SQL, many at a time, by one writer
 * only.
 */
final class Backlog {

	private static final String INSERT = """
			INSERT /*+ SET_VAR(cte_max_recursion_depth = 1000000) */ INTO outbox_message (message_id, name, partition_key,
			exchange, routing_key, content_type, payload, created_at, available_at)
			WITH RECURSIVE rows_wanted (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM rows_wanted WHERE i + 1 < :count)
			SELECT UUID(), 'scenario', IF(:keyless, '', CONCAT(:prefix, i MOD :keys)), :exchange, 'scenario', 'text/plain',
			RPAD(CONCAT(:prefix, i MOD :keys, ' ', :version + i DIV :keys, ' ', :number + i, ' '), 200, '.'),
			UTC_TIMESTAMP(6), TIMESTAMPADD(SECOND, :delay, UTC_TIMESTAMP(6)) FROM rows_wanted ORDER BY i""";

	private final JdbcClient database;

	private final String exchange;

	private final Map<String, Long> versions = new HashMap<>();

	private long number;

	Backlog(JdbcClient database, String exchange) {
		this.database = database;
		this.exchange = exchange;
	}

	/**
	 * Writes a multiple of as many messages as there are keys: one transaction.
	 * @return the number of the last of them
	 */
	synchronized long add(String prefix, int keys, int count) {
		long version = this.versions.getOrDefault(prefix, 0L);
		insert(prefix, keys, version + 1, count, Duration.ZERO, false);
		this.versions.put(prefix, version + count / keys);
		return this.number;
	}

	/**
	 * Writes messages without a key that are not due for a long time.
	 */
	synchronized void addDelayedKeyless(int count) {
		insert("keyless", 1, 1, count, Duration.ofDays(1), true);
	}

	/**
	 * Writes a key whose head has failed and waits.
	 */
	synchronized void addStalled(int behind) {
		insert("stalled", 1, 1, 1, Duration.ofDays(1), false);
		this.database
			.sql("""
					UPDATE outbox_message SET attempts = 1, last_error = 'stalled by the scenario', failed_at = UTC_TIMESTAMP(6)
					WHERE partition_key = 'stalled0'""")
			.update();
		this.database.sql("INSERT INTO outbox_failed SELECT id FROM outbox_message WHERE partition_key = 'stalled0'")
			.update();
		insert("stalled", 1, 2, behind, Duration.ZERO, false);
	}

	private void insert(String prefix, int keys, long version, int count, Duration delay, boolean keyless) {
		this.database.sql(INSERT)
			.param("count", count)
			.param("keyless", keyless)
			.param("prefix", prefix)
			.param("keys", keys)
			.param("exchange", this.exchange)
			.param("version", version)
			.param("number", this.number + 1)
			.param("delay", delay.toSeconds())
			.update();
		this.number += count;
	}

	long number() {
		return this.number;
	}

	/**
	 * How many attempts are counted in the table, and how many messages are listed as
	 * failed or dead.
	 */
	long failures() {
		return this.database.sql("""
				SELECT (SELECT COALESCE(SUM(attempts), 0) FROM outbox_message) + (SELECT COUNT(*) FROM outbox_failed)
				+ (SELECT COUNT(*) FROM outbox_dead_letter)""").query(Long.class).single();
	}

	boolean isEmpty() {
		return this.database.sql("SELECT NOT EXISTS (SELECT * FROM outbox_message)").query(Boolean.class).single();
	}

}
