/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.orderedoutbox.jdbc.MessageRow;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.dialect.SqlFragments;

import static io.orderedoutbox.jdbc.dialect.SqlFragments.LOOK;

/**
 * The statements of claims, with the names of the tables filled in.
 * <p>
 * Messages are read by ranges of the clustered primary key {@code (lane, id)}, without
 * locks, and changed by lists of their places.
 */
final class ClaimStatements {

	private static final String UNION = "\nUNION ALL ";

	private final SqlFragments sql;

	private final String message;

	private final String parked;

	private final String partition;

	private final String columns;

	/** Locks those of the given partitions that no other claim owns. */
	final String lock;

	/** Which connection this is. */
	final String connection;

	/** The lanes of the parked keys among keys given by partition and hash. */
	final String parkedKeys;

	/** The payloads of messages given by their places. */
	final String payloads;

	/** The destinations of messages given by their places. */
	final String destinations;

	/** Stores attempts and errors of messages that no other claim has tried meanwhile. */
	final String fail;

	/** Which of some messages no other transaction has locked. */
	final String free;

	/**
	 * Opens a lane for the key of each of the given heads. One of that number is there
	 * only if the tables were changed by hand: the key gets it.
	 */
	final String open;

	/** Moves messages to lanes that are there. */
	final String move;

	/** Says when lanes are due whose heads are the given ones. */
	final String postpone;

	ClaimStatements(OutboxDatabase database, ClaimSettings settings) {
		String prefix = database.tablePrefix();
		this.sql = database.dialect().sql();
		this.message = prefix + "message";
		this.parked = prefix + "parked";
		this.partition = prefix + "partition";
		// A large payload is read only if its message is sent
		String isLarge = "m.payload_size > %d".formatted(settings.maxInlinePayload());
		this.columns = MessageRow.columns(this.sql, SqlFragments.choose(isLarge, "NULL", "m.payload"))
				+ ", m.lane, m.payload_size, NOT " + this.sql.delayed();
		// Without the archive, what is sent could not be completed
		String archive = database.isArchiving() ? ", EXISTS (" + database.statements().probeArchive + ") AS archive"
				: "";
		this.lock = """
				SELECT p.id, p.retry_at IS NOT NULL AS parked, COALESCE(p.retry_at <= %s, FALSE) AS due,
				%s AS connection, %s AS server, %s AS read_only, %s AS store_time%s FROM %s %s SKIP LOCKED""".formatted(
				this.sql.now(), this.sql.connection(), this.sql.server(), this.sql.readOnly(),
				this.sql.micros(this.sql.now()), archive, this.sql.rowsOfIds(this.partition, "p"),
				this.sql.lockOf("p"));
		// Some proxies answer the bare function by themselves: hence the alias
		this.connection = "SELECT %s AS connection".formatted(this.sql.connection());
		String given = this.sql.messagesAtPlaces(this.message);
		this.payloads = "SELECT m.id, m.payload FROM " + given;
		this.parkedKeys = "SELECT k.partition_id, k.partition_key, k.lane FROM " + this.sql.joined(
				this.sql.list("id BIGINT", "hash BIGINT"), this.parked + " k", this.sql.by(this.parked + "_key"),
				this.sql.is("k.partition_id", "w.id") + " AND " + this.sql.is("k.key_hash", "w.hash"));
		this.destinations = "SELECT m.id, m.exchange, m.routing_key FROM " + given;
		this.free = "SELECT m.id FROM %s %s SKIP LOCKED".formatted(given, this.sql.lockOf("m"));
		this.fail = this.sql.update(this.sql.list("lane BIGINT", "id BIGINT", "attempt INT", "error TEXT", "known INT"),
				this.message, "m", this.sql.isAtPlace() + " AND m.attempts = w.known",
				"attempts = m.attempts + w.attempt", "failed_at = " + this.sql.now(),
				"last_error = " + this.sql.textOf("w.error"));
		String heads = this.sql.list("lane BIGINT", "id BIGINT", "delay BIGINT", "hash BIGINT");
		String headsOfKeys = this.sql.joined(heads, this.message + " m", this.sql.byId(), this.sql.isAtPlace());
		// At the time of its head, or after a delay in microseconds, none for never
		String due = SqlFragments.choose(this.sql.delayed(), "m.available_at",
				SqlFragments.choose("w.delay IS NULL", this.sql.never(), this.sql.after("w.delay", this.sql.now())));
		this.open = this.sql.insertOrUpdate(this.parked,
				"lane, partition_id, key_hash, partition_key, available_at, is_delayed",
				"SELECT -m.id, m.lane, %s, m.partition_key, %s, %s FROM %s"
					.formatted(this.sql.hash("m.partition_key", "w.hash"), due, this.sql.delayed(), headsOfKeys),
				"lane",
				Stream.of("partition_id", "key_hash", "partition_key", "available_at", "is_delayed")
					.map((column) -> column + " = " + this.sql.inserted(column))
					.toArray(String[]::new));
		String moved = this.sql.joined(this.sql.list("lane BIGINT", "id BIGINT", "target BIGINT"), this.parked + " k",
				this.sql.byId(), this.sql.is("k.lane", "w.target"));
		this.move = this.sql.update(moved, this.message, "m", this.sql.isAtPlace(), "lane = w.target");
		this.postpone = this.sql.update(headsOfKeys, this.parked, "k", this.sql.is("k.lane", "w.lane"),
				"available_at = " + due, "is_delayed = " + this.sql.delayed());
	}

	/** The first rows of lanes from given positions on. */
	String read(Collection<Range> ranges) {
		return ranges.stream()
			.map((range) -> "(SELECT %s FROM %s m %s WHERE %s ORDER BY m.lane, m.id LIMIT %d)".formatted(this.columns,
					this.message, this.sql.byId(), this.sql.inLane(range.lane(), range.first(), range.last()),
					range.limit()))
			.collect(Collectors.joining(UNION));
	}

	/** The last position in each of some lanes. */
	String last(Collection<Integer> lanes) {
		return lanes.stream()
			.map((lane) -> "(SELECT lane, id FROM %s %s WHERE lane = %d ORDER BY id DESC LIMIT 1)"
				.formatted(this.message, this.sql.byId(), lane))
			.collect(Collectors.joining(UNION));
	}

	/**
	 * The lanes of each of some partitions that are due, those first that have been due
	 * for longest.
	 */
	String dueLanes(Collection<Integer> partitions, int limit) {
		return partitions.stream()
			.map((id) -> """
					(SELECT partition_id, partition_key, lane FROM %s %s
					WHERE partition_id = %d AND available_at <= %s ORDER BY available_at, lane LIMIT %d)"""
				.formatted(this.parked, this.sql.by(this.parked + "_due"), id, this.sql.now(), limit))
			.collect(Collectors.joining(UNION));
	}

	/**
	 * The server, then the partitions that have a parked key that is due, then those that
	 * have something from a given position on.
	 */
	String poll(Map<Integer, Long> from) {
		Stream<String> others = Stream.of(SqlFragments.LOOK + "%s AS server, -1 AS lane".formatted(this.sql.server()),
				"SELECT NULL, id FROM %s WHERE retry_at <= %s".formatted(this.partition, this.sql.now()));
		Stream<String> lanes = from.entrySet()
			.stream()
			.map((entry) -> "(SELECT NULL, m.lane FROM %s m %s WHERE %s ORDER BY m.lane, m.id LIMIT 1)".formatted(
					this.message, this.sql.byId(), this.sql.inLane(entry.getKey(), entry.getValue(), Long.MAX_VALUE)));
		// The limits of a session must not cut the poll
		return Stream.concat(others, lanes).collect(Collectors.joining(UNION)) + " LIMIT 1000000";
	}

	/**
	 * Rows of a lane.
	 *
	 * @param lane the lane
	 * @param first the lowest position
	 * @param last the highest position
	 * @param limit how many rows there are at most
	 */
	record Range(long lane, long first, long last, int limit) {

	}

}
