package io.orderedoutbox.jdbc;

import java.util.Collection;
import java.util.stream.Collectors;

/**
 * The statements by which an instance sees at its start that the outbox is as it should
 * be, with the names of the tables filled in; for the archive see
 * {@link OutboxStatements#probeArchive}.
 */
final class CheckStatements {

	// Whatever the session limits
	private static final String CHECK = "SELECT /*+ MAX_EXECUTION_TIME(60000) SET_VAR(sql_big_selects = ON) */ ";

	/** Every column of the messages, found by the index. */
	final String probe;

	/** Every column of the parked keys. */
	final String probeParked;

	/** Every column of the dead letters. */
	final String probeDead;

	/** How many of three keys that differ only in case and trailing space differ. */
	final String countDistinctKeys;

	/** How many partitions there are, and which is the last. */
	final String countPartitions;

	/** How many stripes there are, and which is the last. */
	final String countStripes;

	/** Whether each statement is committed by itself, as the server sees it. */
	final String commitsByItself = CHECK + "@@SESSION.autocommit";

	/** Whether the binary log, if there is one, can take what a relay does. */
	final String isReplicable = CHECK + "@@GLOBAL.log_bin = 0 OR @@SESSION.binlog_format <> 'STATEMENT'";

	/** Whether what is committed survives a crash of the server. */
	final String isDurable = CHECK + "@@GLOBAL.innodb_flush_log_at_trx_commit = 1 "
			+ "AND (@@GLOBAL.log_bin = 0 OR @@GLOBAL.sync_binlog = 1)";

	/** Which database of which server this is, whatever else a proxy asks of which. */
	final String whichDatabase;

	private final String prefix;

	CheckStatements(Dialect dialect, String prefix) {
		this.prefix = prefix;
		String message = prefix + "message";
		this.probe = CHECK
				+ """
						lane, id, message_id, name, partition_key, exchange, routing_key, content_type, payload, payload_size, headers,
						created_at, available_at, attempts, last_error, failed_at FROM %1$s FORCE INDEX (PRIMARY, %1$s_id)
						WHERE lane = 0 AND id < 0"""
					.formatted(message);
		this.probeParked = CHECK + """
				lane, partition_id, key_hash, partition_key, available_at, is_delayed FROM %1$sparked
				FORCE INDEX (PRIMARY, %1$sparked_key, %1$sparked_due, %1$sparked_delayed) WHERE lane = 0"""
			.formatted(prefix);
		this.probeDead = CHECK
				+ """
						d.id, position, message_id, name, partition_key, exchange, routing_key, content_type, payload, headers, created_at,
						attempts, last_error, failed_at, dead_at FROM %sdead_letter d WHERE d.id < 0"""
					.formatted(prefix);
		this.countDistinctKeys = CHECK + """
				COUNT(DISTINCT k) FROM (SELECT partition_key AS k FROM %s WHERE id < 0
				UNION ALL SELECT 'a' UNION ALL SELECT 'a ' UNION ALL SELECT 'A') w""".formatted(message);
		this.countPartitions = CHECK
				+ "COUNT(retry_at IS NULL), COALESCE(MAX(id), -1) FROM %spartition".formatted(prefix);
		this.whichDatabase = CHECK + """
				CONCAT_WS(' ', HEX(IF(@@lower_case_table_names = 0, DATABASE(), LOWER(DATABASE()))), %s)
				FOR UPDATE""".formatted(dialect.identity());
		this.countStripes = CHECK + "COUNT(*), COALESCE(MAX(id), -1) FROM %sstripe".formatted(prefix);
	}

	/**
	 * The columns of tables, with the character set of each, and whether the server tells
	 * tables apart by the case of their names. Limited, or the session would do so.
	 */
	String columns(Collection<String> tables) {
		String names = tables.stream()
			.map((table) -> "'" + this.prefix + table + "'")
			.collect(Collectors.joining(", "));
		return CHECK + """
				table_name, column_name, character_set_name, @@lower_case_table_names = 0
				FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name IN (%s)
				ORDER BY table_name, ordinal_position LIMIT 10000""".formatted(names);
	}

}
