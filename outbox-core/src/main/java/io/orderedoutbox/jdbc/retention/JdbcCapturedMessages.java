/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.retention;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.orderedoutbox.admin.RelayWorkerStatus;
import io.orderedoutbox.admin.RelayWorkers;
import io.orderedoutbox.admin.RetainedMessages;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.OwnTransactions;
import io.orderedoutbox.jdbc.dialect.SqlFragments;

import org.springframework.util.function.SingletonSupplier;

/**
 * The messages of an outbox that no relay sends, because another program reads the log of
 * the database. The old ones can be removed.
 * <ol>
 * <li>Find the partitions whose first message is old: stored long ago, and not put in
 * again, nor due after a delay, since then. Within a partition positions are in the order
 * of commits, so that the old messages are those in front.</li>
 * <li>Before each partition refuse if a worker of a relay has been heard of within ten
 * minutes, or if there is no table in which it would be heard of: a relay removes what it
 * has sent, and what is old may be what it has yet to send.</li>
 * <li>In a transaction for each few hundred messages lock the row of the partition, or
 * pass over the partition if another transaction has locked it. Read the messages in
 * front, up to the first that is not old, and delete these by their places.</li>
 * </ol>
 * Writers never lock the row of a partition and never touch a message that is stored, so
 * that no business transaction waits. The lanes of parked keys, which only a relay makes,
 * are left alone.
 */
public final class JdbcCapturedMessages implements RetainedMessages {

	private static final Duration SILENCE = Duration.ofMinutes(10);

	private final OutboxDatabase database;

	private final RelayWorkers workers;

	private final OwnTransactions transactions;

	private final String table;

	private final Supplier<Statements> statements;

	/**
	 * Create it.
	 * @param database the database of the outbox
	 * @param workers knows which relays there are
	 */
	public JdbcCapturedMessages(OutboxDatabase database, RelayWorkers workers) {
		this.database = database;
		this.workers = workers;
		this.transactions = new OwnTransactions(database);
		this.table = database.tablePrefix() + "message";
		this.statements = SingletonSupplier
			.of(() -> Statements.of(database.dialect().sql(), database.tablePrefix(), database));
	}

	@Override
	public String table() {
		return this.table;
	}

	/**
	 * {@inheritDoc}
	 * @throws IllegalStateException if a relay works on the same tables, or if that is
	 * not known
	 */
	@Override
	public long purge(Duration retention, BooleanSupplier goOn) {
		long age = -retention.toNanos() / 1_000;
		List<Integer> partitions = this.transactions
			.read((jdbc) -> jdbc.queryForList(this.statements.get().old, Integer.class, age));
		long removed = 0;
		for (int partition : partitions) {
			requireNoRelay();
			Chunk chunk = new Chunk(List.of(0L), true);
			while (chunk.isMore()) {
				chunk = purge(partition, age, chunk.last());
				removed += chunk.ids().size();
				if (!goOn.getAsBoolean()) {
					return removed;
				}
			}
		}
		return removed;
	}

	private void requireNoRelay() {
		if (!this.workers.isKnown()) {
			throw new IllegalStateException(
					"There is no table %sworker, in which a relay would say that it works on %s: create it, or remove outbox.capture.retention"
						.formatted(this.database.tablePrefix(), this.table));
		}
		String relaying = this.workers.list()
			.stream()
			.filter((worker) -> worker.silence().compareTo(SILENCE) < 0)
			.map(RelayWorkerStatus::host)
			.distinct()
			.collect(Collectors.joining(", "));
		if (!relaying.isEmpty()) {
			throw new IllegalStateException(
					"A relay works on %s (%s), and may have to send what would be removed: set outbox.relay.mode=off on all instances, or remove outbox.capture.retention. A relay that has ended is forgotten after ten minutes"
						.formatted(this.table, relaying));
		}
	}

	// Each transaction begins behind the last row of the one before: rows that were
	// deleted, and that the database still has, are read once
	private Chunk purge(int partition, long age, long after) {
		Statements statements = this.statements.get();
		return this.transactions.run(true, (jdbc) -> {
			if (jdbc.queryForList(statements.lock, Integer.class, List.of(partition).toString()).isEmpty()) {
				return Chunk.NONE;
			}
			Chunk chunk = Objects.requireNonNull(
					jdbc.query(statements.next(partition, after), JdbcCapturedMessages::firstOf, age, PurgedRows.MOST));
			if (!chunk.ids().isEmpty()) {
				jdbc.update(this.database.statements().delete,
						chunk.ids()
							.stream()
							.map((id) -> SqlFragments.place(partition, id))
							.collect(Collectors.joining(",", "[", "]")));
			}
			return chunk;
		});
	}

	private static Chunk firstOf(ResultSet rows) throws SQLException {
		PurgedRows old = new PurgedRows();
		boolean isOld = true;
		while (rows.next()) {
			isOld = rows.getBoolean("is_old");
			if (!isOld || !old.add(rows.getLong("id"), rows.getLong("payload_size"))) {
				break;
			}
		}
		return new Chunk(old.ids(), isOld && !old.ids().isEmpty());
	}

	/**
	 * The statements.
	 *
	 * @param old the partitions whose first message is old
	 * @param lock locks those of the given partitions that no other transaction has
	 * locked
	 * @param next the next messages of a partition, and which of them are old, but for
	 * the place where they are
	 * @param sql the words of the database
	 */
	private record Statements(String old, String lock, String next, SqlFragments sql) {

		static Statements of(SqlFragments sql, String prefix, OutboxDatabase database) {
			String message = prefix + "message";
			String isOld = "GREATEST(m.created_at, m.available_at) < " + sql.after("?", sql.now());
			String old = """
					SELECT p.id FROM %spartition p WHERE (SELECT %s FROM %s m %s
					WHERE %s ORDER BY m.lane, m.id LIMIT 1) ORDER BY p.id""".formatted(prefix, isOld, message,
					sql.byId(), sql.is("m.lane", "p.id"));
			String next = """
					SELECT m.id, m.payload_size, %s AS is_old FROM %s m %s
					WHERE %%s ORDER BY m.lane, m.id LIMIT ?""".formatted(isOld, message, sql.byId());
			return new Statements(old, database.statements().lockPartitions + " SKIP LOCKED", next, sql);
		}

		String next(int partition, long after) {
			return this.next.formatted(this.sql.inLane(partition, after + 1, Long.MAX_VALUE));
		}

	}

	/**
	 * What one transaction has removed.
	 *
	 * @param ids which messages
	 * @param isMore whether there may be more that is old behind them
	 */
	private record Chunk(List<Long> ids, boolean isMore) {

		private static final Chunk NONE = new Chunk(List.of(), false);

		long last() {
			return this.ids.get(this.ids.size() - 1);
		}

	}

}
