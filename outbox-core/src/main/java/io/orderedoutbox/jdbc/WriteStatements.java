/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

import io.orderedoutbox.jdbc.dialect.Dialect;
import io.orderedoutbox.jdbc.dialect.SqlFragments;
import io.orderedoutbox.store.Delay;

/**
 * The statements by which messages come into the outbox, with the names of the tables
 * filled in.
 * <p>
 * Those that lock a stripe and insert a row in one go take the position when they insert
 * the row, which is after they have locked the stripe.
 */
final class WriteStatements {

	private final SqlFragments sql;

	private final String plainValues;

	/**
	 * Locks stripes, in the order given, and waits for each of them, whatever the session
	 * limits.
	 */
	final String lockStripes;

	/** Locks the first stripe from a number on that no transaction holds. */
	final String lockFreeStripe;

	/** The beginning of an INSERT, to be followed by rows. */
	private final String insert;

	/** Inserts one row in a partition whose stripe it locks, whatever the values are. */
	private final String ofStripe;

	/** Locks a stripe and inserts one row in its partition. */
	final String lockAndInsert;

	/** The same for {@link KeptStatements}, with the payload as bytes. */
	final String keptLockAndInsert;

	/** Inserts one row in a partition if no transaction holds its stripe. */
	final String insertIfFree;

	/** The same for {@link KeptStatements}, with the payload as bytes. */
	final String keptInsertIfFree;

	WriteStatements(Dialect dialect, String prefix) {
		this.sql = dialect.sql();
		String message = prefix + "message";
		String stripe = prefix + "stripe";
		this.lockStripes = "SELECT /*+ SET_VAR(sql_big_selects = ON) */ s.id FROM %s %s LIMIT %d %s".formatted(
				this.sql.inAnySession(this.sql.rowsOfIds(stripe, "s")), this.sql.inOrderOf("s.id"),
				Partitions.MAX_COUNT, this.sql.lockOf("s"));
		this.lockFreeStripe = "SELECT id FROM %s %s WHERE id >= ? ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED"
			.formatted(stripe, this.sql.byId());
		String insert = """
				INSERT INTO %s (lane, message_id, name, partition_key, exchange, routing_key, content_type, payload, headers,
				created_at, available_at)\s"""
			.formatted(message);
		this.insert = insert + "VALUES ";
		this.ofStripe = insert
				+ "SELECT s.id, %%s FROM %s s %s WHERE s.id = ? FOR UPDATE".formatted(stripe, this.sql.byId());
		this.plainValues = values(this.sql.bytes(), Delay.NONE);
		this.lockAndInsert = this.ofStripe.formatted(this.plainValues);
		this.keptLockAndInsert = this.ofStripe.formatted(values("?", Delay.NONE));
		this.insertIfFree = this.lockAndInsert + " SKIP LOCKED";
		this.keptInsertIfFree = this.keptLockAndInsert + " SKIP LOCKED";
	}

	// Message ids and names are ASCII
	private String values(String payload, Delay delay) {
		return "?, ?, %1$s, %1$s, %1$s, %1$s, %2$s, %1$s, %3$s, %4$s".formatted(this.sql.textOfColumn(), payload,
				this.sql.now(), availableAt(delay));
	}

	/** Inserts one row for each of some delays. */
	String insert(List<Delay> rows) {
		return this.insert
				+ rows.stream().map((delay) -> "(?, " + values(delay) + ")").collect(Collectors.joining(", "));
	}

	/** The same as {@link #lockAndInsert}, of a message that waits. */
	String lockAndInsert(Delay delay) {
		return this.ofStripe.formatted(values(delay));
	}

	/** The same as {@link #insertIfFree}, of a message that waits. */
	String insertIfFree(Delay delay) {
		return lockAndInsert(delay) + " SKIP LOCKED";
	}

	private String values(Delay delay) {
		return delay.isNone() ? this.plainValues : values(this.sql.bytes(), delay);
	}

	// What is over when the message is stored delays nothing
	private String availableAt(Delay delay) {
		if (delay.isNone()) {
			return this.sql.now();
		}
		Instant until = delay.until();
		if (until == null) {
			return this.sql.after(String.valueOf(delay.duration().toNanos() / 1_000), this.sql.now());
		}
		return "GREATEST(%s, %s)".formatted(this.sql.time(until), this.sql.now());
	}

}
