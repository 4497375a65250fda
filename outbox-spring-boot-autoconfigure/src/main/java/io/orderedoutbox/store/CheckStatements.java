package io.orderedoutbox.store;

/**
 * The statements by which an instance sees at its start that the outbox is as it should
 * be, with the names of the tables filled in; for the archive see
 * {@link OutboxStatements#probeArchive}.
 */
final class CheckStatements {

	/** Every column of the messages, found by the index. */
	final String probe;

	/** Every column of the dead letters, and the list of what has failed. */
	final String probeDead;

	/** How many of three keys that differ only in case and trailing space differ. */
	final String countDistinctKeys;

	final String countStripes;

	/** Whether the binary log, if there is one, can take what a relay does. */
	final String isReplicable = "SELECT @@GLOBAL.log_bin = 0 OR @@SESSION.binlog_format <> 'STATEMENT'";

	/** Whether what is committed survives a crash of the server. */
	final String isDurable = "SELECT @@GLOBAL.innodb_flush_log_at_trx_commit = 1 "
			+ "AND (@@GLOBAL.log_bin = 0 OR @@GLOBAL.sync_binlog = 1)";

	CheckStatements(String prefix) {
		String message = prefix + "message";
		this.probe = """
				SELECT id, message_id, name, partition_key, exchange, routing_key, content_type, payload, payload_size, headers,
				created_at, available_at, attempts, last_error, failed_at FROM %1$s FORCE INDEX (%1$s_key)
				WHERE partition_key = '' AND id < 0"""
			.formatted(message);
		this.probeDead = """
				SELECT d.id, position, message_id, name, partition_key, exchange, routing_key, content_type, payload, headers, created_at,
				attempts, last_error, failed_at, dead_at FROM %sdead_letter d JOIN %sfailed f ON f.id = d.id
				WHERE d.id < 0"""
			.formatted(prefix, prefix);
		this.countDistinctKeys = """
				SELECT COUNT(DISTINCT k) FROM (SELECT partition_key AS k FROM %s WHERE id < 0
				UNION ALL SELECT 'a' UNION ALL SELECT 'a ' UNION ALL SELECT 'A') w""".formatted(message);
		this.countStripes = "SELECT COUNT(*) FROM %sstripe".formatted(prefix);
	}

}
