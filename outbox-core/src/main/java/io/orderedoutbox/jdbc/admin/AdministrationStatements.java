/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.backlog.ParkedKeyFragments;
import io.orderedoutbox.jdbc.dialect.SqlFragments;

import static io.orderedoutbox.jdbc.backlog.ParkedKeyFragments.SINCE;
import static io.orderedoutbox.jdbc.admin.SelectionFragments.condition;
import static io.orderedoutbox.jdbc.admin.SelectionFragments.index;

/**
 * The statements of the verbs, with the names of the tables filled in.
 * <p>
 * None of them looks for messages in the outbox itself, which has no index to find them
 * by: the parked keys lead to them, two lookups by primary key for each. A parked key
 * whose lane is empty, because an operator has deleted its messages by hand, is passed
 * by.
 */
final class AdministrationStatements {

	private final OutboxDatabase database;

	private final SqlFragments sql;

	private final String deadLetter;

	private final boolean ordered;

	/** The time by which a call goes. */
	final String now;

	/** Locks those of the given partitions that no other transaction has locked. */
	final String lockFreePartitions;

	/** Which of the given messages are still stuck since a given time. */
	final String verifyStuck;

	/** Lets messages be as if they had never failed. */
	final String forgetFailure;

	/** Makes lanes due. */
	final String makeDue;

	/** Which of the given lanes are empty. */
	final String emptyLanes;

	/** Locks those of the given dead letters that no other transaction has locked. */
	final String lockDeadLetters;

	/** Which of the given dead letters are still there, dead since a given time. */
	final String verifyDeadLetters;

	/** Appends dead letters to the outbox, in their order. */
	final String requeue;

	/** Deletes dead letters. */
	final String discard;

	AdministrationStatements(OutboxDatabase database, boolean ordered) {
		this.database = database;
		this.sql = database.dialect().sql();
		this.ordered = ordered;
		this.now = "SELECT " + this.sql.textOfTime(this.sql.now());
		String prefix = database.tablePrefix();
		String message = prefix + "message";
		String parked = prefix + "parked";
		this.deadLetter = prefix + "dead_letter";
		String givenMessages = this.sql.messagesAtPlaces(message);
		String givenLetters = this.sql.rowsOfIds(this.deadLetter, "d");
		ParkedKeyFragments keys = new ParkedKeyFragments(database, ordered);
		this.lockFreePartitions = database.statements().lockPartitions + " SKIP LOCKED";
		this.verifyStuck = """
				SELECT m.id FROM %s WHERE m.id = %s AND %s AND %s <= %s""".formatted(
				this.sql.joined(givenMessages, parked + " k", this.sql.byId(), this.sql.is("k.lane", "m.lane")),
				keys.head("m.lane"), keys.stuck(), SINCE, this.sql.timeOfText());
		this.forgetFailure = this.sql.update(this.sql.places(), message, "m", this.sql.isAtPlace(), "attempts = 0",
				"last_error = NULL", "failed_at = NULL", available(this.sql));
		this.makeDue = this.sql.update(this.sql.ids(), parked, "k", this.sql.is("k.lane", "w.id"),
				"available_at = " + this.sql.now());
		this.emptyLanes = "SELECT w.id FROM %s WHERE %s IS NULL".formatted(this.sql.ids(), keys.head("w.id"));
		this.lockDeadLetters = "SELECT d.id FROM %s %s SKIP LOCKED".formatted(givenLetters, this.sql.lockOf("d"));
		this.verifyDeadLetters = "SELECT d.id FROM %s WHERE d.dead_at <= %s".formatted(givenLetters,
				this.sql.timeOfText());
		this.requeue = """
				INSERT INTO %s (lane, message_id, name, partition_key, exchange, routing_key, content_type, payload, headers,
				created_at, available_at)
				SELECT w.lane, d.message_id, d.name, d.partition_key, d.exchange, d.routing_key, d.content_type, d.payload,
				d.headers, d.created_at, %s FROM %s ORDER BY w.id"""
			.formatted(message, this.sql.now(), this.sql.joined(this.sql.places(), this.deadLetter + " d",
					this.sql.byId(), this.sql.is("d.id", "w.id")));
		this.discard = this.sql.delete(this.sql.ids(), this.deadLetter, "d", this.sql.is("d.id", "w.id"));
	}

	/**
	 * Lets a message {@code m} not wait for its time. What has failed was sent before,
	 * and would wait again if it is as if it had never failed.
	 */
	static String available(SqlFragments sql) {
		return "available_at = LEAST(m.available_at, %s)".formatted(sql.now());
	}

	/**
	 * The next messages behind a lane that are stuck since a given time.
	 */
	String nextStuck(MessageSelection selection) {
		ParkedKeyFragments keys = new ParkedKeyFragments(this.database, this.ordered);
		return """
				SELECT -k.lane AS position, m.id, k.partition_id, m.message_id, m.partition_key, m.payload_size AS bytes,
				m.exchange, m.routing_key, m.last_error FROM %s WHERE k.is_delayed = FALSE AND k.lane < ? AND %s AND %s <= %s AND %s ORDER BY k.lane DESC LIMIT ?"""
			.formatted(keys.heads(selection), keys.stuck(), SINCE, this.sql.timeOfText(),
					condition(this.sql, "m", selection));
	}

	/**
	 * What the statements bind that look for what is selected; see
	 * {@link SelectionFragments#arguments}.
	 */
	Object[] arguments(MessageSelection selection, int limit, Object... before) {
		return SelectionFragments.arguments(this.sql, selection, limit, before);
	}

	/**
	 * The next dead letters behind a position that were dead at a given time.
	 */
	String nextDeadLetters(MessageSelection selection) {
		return """
				SELECT d.id, d.message_id, d.partition_key, LENGTH(d.payload) AS bytes, d.exchange, d.routing_key,
				d.last_error FROM %s d %s WHERE d.id > ? AND d.dead_at <= %s AND %s ORDER BY d.id LIMIT ?""".formatted(
				this.deadLetter, this.sql.by(index(this.deadLetter, selection)), this.sql.timeOfText(),
				condition(this.sql, "d", selection));
	}

}
