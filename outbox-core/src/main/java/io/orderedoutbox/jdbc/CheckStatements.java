/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.util.Collection;

import io.orderedoutbox.jdbc.dialect.Dialect;
import io.orderedoutbox.jdbc.dialect.ServerQuestions;
import io.orderedoutbox.jdbc.dialect.SqlFragments;

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
	final String commitsByItself;

	/** Whether the binary log, if there is one, can take what a relay does. */
	final String isReplicable;

	/** Whether what is committed survives a crash of the server. */
	final String isDurable;

	/** What makes positions or texts other than they should be, in words. */
	final String defect;

	/** Which database of which server this is, whatever else a proxy asks of which. */
	final String whichDatabase;

	private final ServerQuestions questions;

	private final String prefix;

	CheckStatements(Dialect dialect, String prefix) {
		this.questions = dialect.questions();
		this.prefix = prefix;
		SqlFragments sql = dialect.sql();
		String message = prefix + "message";
		this.commitsByItself = CHECK + this.questions.commitsByItself();
		this.isReplicable = CHECK + this.questions.isReplicable();
		this.isDurable = CHECK + this.questions.isDurable();
		this.defect = CHECK + this.questions.defect(prefix);
		this.probe = CHECK
				+ """
						lane, id, message_id, name, partition_key, exchange, routing_key, content_type, payload, payload_size, headers,
						created_at, available_at, attempts, last_error, failed_at FROM %s %s
						WHERE lane = 0 AND id < 0"""
					.formatted(message, sql.by("PRIMARY, %s_id".formatted(message)));
		this.probeParked = CHECK
				+ """
						lane, partition_id, key_hash, partition_key, available_at, is_delayed FROM %1$sparked %2$s WHERE lane = 0"""
					.formatted(prefix,
							sql.by("PRIMARY, %1$sparked_key, %1$sparked_due, %1$sparked_delayed".formatted(prefix)));
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
		this.whichDatabase = CHECK + this.questions.whichDatabase();
		this.countStripes = CHECK + "COUNT(*), COALESCE(MAX(id), -1) FROM %sstripe".formatted(prefix);
	}

	/**
	 * {@link ServerQuestions#columns}.
	 */
	String columns(Collection<String> tables) {
		return CHECK + this.questions.columns(tables.stream().map((table) -> this.prefix + table).toList());
	}

}
