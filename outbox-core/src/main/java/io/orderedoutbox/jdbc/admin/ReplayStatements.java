/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import io.orderedoutbox.HeaderStamp;
import io.orderedoutbox.admin.ArchiveReplay;
import io.orderedoutbox.jdbc.dialect.SqlFragments;
import org.jspecify.annotations.Nullable;

import static io.orderedoutbox.jdbc.admin.SelectionFragments.condition;
import static io.orderedoutbox.jdbc.admin.SelectionFragments.during;
import static io.orderedoutbox.jdbc.admin.SelectionFragments.index;

/**
 * The statements that put messages of the archive into the outbox again, with the names
 * of the tables filled in.
 * <p>
 * They go by ids, in whose order the messages of a key were published, whatever the clock
 * has done meanwhile. A header marks what is a replay.
 */
final class ReplayStatements {

	// In a text inside of the JSON the quotes would be escaped
	private static final String MARK = "\"%s\":".formatted(HeaderStamp.REPLAYED_AT_HEADER);

	private final SqlFragments sql;

	private final @Nullable String exchange;

	/**
	 * The next messages between two ids that were published before a time; what the
	 * selection binds comes before the limit.
	 */
	final String next;

	/** Locks those of the given messages that no other transaction has locked. */
	final String lock;

	/** Which of the given messages are still there. */
	final String verify;

	/** Appends messages to the outbox, in their order; an exchange or null is bound. */
	final String replay;

	ReplayStatements(SqlFragments sql, String prefix, ArchiveReplay replay) {
		this.sql = sql;
		this.exchange = replay.exchange();
		String archive = prefix + "archive";
		String given = sql.rowsOfIds(archive, "a");
		String range = during(sql, "a.published_at", replay.published());
		this.next = """
				SELECT a.id, a.message_id, a.partition_key, a.payload_size AS bytes FROM %s a %s
				WHERE a.id > ? AND a.id <= ? AND a.published_at <= %s%s AND %s
				AND (a.headers IS NULL OR POSITION('%s' IN a.headers) = 0) ORDER BY a.id LIMIT ?""".formatted(archive,
				sql.by(index(archive, replay.selection())), sql.timeOfText(), range,
				condition(sql, "a", replay.selection()), MARK);
		this.lock = "SELECT a.id FROM %s %s SKIP LOCKED".formatted(given, sql.lockOf("a"));
		this.verify = "SELECT a.id FROM " + given;
		this.replay = """
				INSERT INTO %s (lane, message_id, name, partition_key, exchange, routing_key, content_type, payload, headers,
				created_at, available_at)
				SELECT w.lane, a.message_id, a.name, a.partition_key, COALESCE(%s, a.exchange), a.routing_key, a.content_type,
				a.payload, %s, a.created_at, %s FROM %s ORDER BY w.id"""
			.formatted(prefix + "message", sql.text(), marked(sql), sql.now(),
					sql.joined(sql.places(), archive + " a", sql.byId(), sql.is("a.id", "w.id")));
	}

	private static String marked(SqlFragments sql) {
		String begin = "'{%s\"', %s, '\"'".formatted(MARK, sql.isoTextOfTime(sql.now()));
		return "CONCAT(%s, %s)".formatted(begin, SqlFragments.choose("COALESCE(LENGTH(a.headers), 0) < 3", "'}'",
				"CONCAT(',', SUBSTRING(a.headers, 2))"));
	}

	/**
	 * What the statement binds that replays.
	 */
	@Nullable Object[] arguments(String places) {
		String exchange = this.exchange;
		return new @Nullable Object[] { (exchange != null) ? this.sql.encoded(exchange) : null, places };
	}

}
