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

import io.orderedoutbox.admin.RetainedMessages;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.OwnTransactions;
import io.orderedoutbox.jdbc.dialect.SqlFragments;

import org.springframework.util.function.SingletonSupplier;

/**
 * The dead letters, which can be removed when they are old.
 * <ol>
 * <li>Their ids are in the order in which messages became dead letters. So the old ones
 * are those in front, and no index by time is needed.</li>
 * <li>Read the next few hundred ids behind those of the last transaction, lock those of
 * them that are old and that no operator has locked, and delete these.</li>
 * <li>End when none of the few hundred is old.</li>
 * </ol>
 */
public final class JdbcDeadLetters implements RetainedMessages {

	private final OwnTransactions transactions;

	private final String table;

	// The database is first asked which one it is when something is removed
	private final Supplier<Statements> statements;

	/**
	 * Create it.
	 * @param database the database of the outbox
	 */
	public JdbcDeadLetters(OutboxDatabase database) {
		this.transactions = new OwnTransactions(database);
		this.table = database.tablePrefix() + "dead_letter";
		this.statements = SingletonSupplier.of(() -> Statements.of(database.dialect().sql(), this.table));
	}

	@Override
	public String table() {
		return this.table;
	}

	@Override
	public long purge(Duration retention, BooleanSupplier goOn) {
		long removed = 0;
		Chunk chunk = new Chunk(0, List.of(0L), 0);
		do {
			chunk = purge(retention, chunk.last());
			removed += chunk.removed();
		}
		while (!chunk.old().isEmpty() && goOn.getAsBoolean());
		return removed;
	}

	private Chunk purge(Duration retention, long after) {
		Statements statements = this.statements.get();
		long age = -retention.toNanos() / 1_000;
		return this.transactions.run(true, (jdbc) -> {
			Chunk chunk = Objects.requireNonNull(
					jdbc.query(statements.next, JdbcDeadLetters::firstOf, age, age, after, PurgedRows.MOST));
			List<Long> locked = chunk.old().isEmpty() ? List.of()
					: jdbc.queryForList(statements.lock, Long.class, chunk.old().toString());
			int removed = locked.isEmpty() ? 0 : jdbc.update(statements.delete, locked.toString());
			return new Chunk(chunk.last(), chunk.old(), removed);
		});
	}

	private static Chunk firstOf(ResultSet rows) throws SQLException {
		PurgedRows old = new PurgedRows();
		long last = 0;
		while (rows.next() && (!rows.getBoolean("is_old") || old.add(rows.getLong("id"), rows.getLong("bytes")))) {
			last = rows.getLong("id");
		}
		return new Chunk(last, old.ids(), 0);
	}

	/**
	 * The statements.
	 *
	 * @param next the next dead letters, which of them are old, and the size of these:
	 * payloads of others are not read
	 * @param lock locks those of the given ones that no operator has locked
	 * @param delete deletes the given ones
	 */
	private record Statements(String next, String lock, String delete) {

		static Statements of(SqlFragments sql, String table) {
			String next = """
					SELECT d.id, d.dead_at < %1$s AS is_old,
						CASE WHEN d.dead_at < %1$s THEN LENGTH(d.payload) ELSE 0 END AS bytes
					FROM %2$s d %3$s WHERE d.id > ? ORDER BY d.id LIMIT ?""".formatted(sql.after("?", sql.now()), table,
					sql.byId());
			String lock = "SELECT d.id FROM %s %s SKIP LOCKED".formatted(sql.rowsOfIds(table, "d"), sql.lockOf("d"));
			return new Statements(next, lock, sql.delete(sql.ids(), table, "d", sql.is("d.id", "w.id")));
		}

	}

	/**
	 * What one transaction has looked at.
	 *
	 * @param last the last id
	 * @param old the ids of those that are old
	 * @param removed how many of these it has removed
	 */
	private record Chunk(long last, List<Long> old, int removed) {

	}

}
