/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.util.List;

import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.backlog.ParkedKeyFragments;
import io.orderedoutbox.jdbc.dialect.SqlFragments;

/**
 * A change of messages in the outbox, wherever they lie, as statements.
 * <p>
 * The outbox has no index by which they could be found: its messages are looked through
 * by position, a range at a time, without locks.
 */
final class MessageChange {

	/** The last position that is taken. */
	final String lastPosition;

	/**
	 * How many messages there are between two positions, up to a limit, and the last of
	 * these.
	 */
	final String range;

	/**
	 * The messages between two positions that are to be changed, up to a limit; what
	 * {@link #matching()} binds comes before the limit.
	 */
	final String next;

	/**
	 * Where those of the given messages are that are still to be changed, and which of
	 * them are the first in a lane of their key.
	 */
	final String places;

	/** Changes messages at given places. */
	final String change;

	private final List<Object> matching;

	private final List<String> target;

	/**
	 * Create it.
	 * @param database the database of the outbox
	 * @param condition whether a message {@code m} is to be changed
	 * @param matching what the condition binds
	 * @param assignments what is changed, each beginning with a column
	 * @param target what the assignments bind
	 */
	MessageChange(OutboxDatabase database, String condition, List<Object> matching, List<String> assignments,
			List<String> target) {
		this.matching = matching;
		this.target = target;
		SqlFragments sql = database.dialect().sql();
		String prefix = database.tablePrefix();
		String message = prefix + "message";
		String byPosition = sql.by(message + "_id");
		this.lastPosition = "SELECT m.id FROM %s m %s ORDER BY m.id DESC LIMIT 1".formatted(message, byPosition);
		this.range = """
				SELECT COUNT(*) AS looked, MAX(id) AS last FROM
				(SELECT m.id FROM %s m %s WHERE m.id > ? AND m.id <= ? ORDER BY m.id LIMIT ?) w""".formatted(message,
				byPosition);
		this.next = """
				SELECT m.id, COALESCE(k.partition_id, m.lane) AS partition_id, m.message_id, m.partition_key, m.payload_size AS bytes
				FROM %s m %s LEFT JOIN %sparked k %s ON %s
				WHERE m.id > ? AND m.id <= ? AND (m.lane >= 0 OR k.lane IS NOT NULL) AND %s ORDER BY m.id LIMIT ?"""
			.formatted(message, byPosition, prefix, sql.byId(), sql.is("k.lane", "m.lane"), condition);
		this.places = """
				SELECT m.lane, m.id, m.lane < 0 AND m.id = %s AS is_head FROM %s WHERE %s""".formatted(
				new ParkedKeyFragments(database, true).head("m.lane"),
				sql.joined(sql.ids(), message + " m", byPosition, sql.is("m.id", "w.id")), condition);
		this.change = sql.update(sql.places(), message, "m", sql.isAtPlace(), assignments.toArray(String[]::new));
	}

	/**
	 * Lets delayed messages be due at once.
	 */
	static MessageChange release(OutboxDatabase database, MessageSelection selection) {
		SqlFragments sql = database.dialect().sql();
		return new MessageChange(database, SelectionFragments.condition(sql, "m", selection) + " AND " + sql.delayed(),
				List.copyOf(SelectionFragments.value(sql, selection)), List.of(AdministrationStatements.available(sql)),
				List.of());
	}

	/**
	 * What the statements bind that look for what is to be changed.
	 */
	List<Object> matching() {
		return this.matching;
	}

	/**
	 * What the statement binds that changes.
	 */
	List<String> target() {
		return this.target;
	}

}
