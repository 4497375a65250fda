/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.retention;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.orderedoutbox.admin.RetainedMessages;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.OwnTransactions;
import io.orderedoutbox.jdbc.dialect.SqlFragments;

import org.springframework.util.function.SingletonSupplier;

/**
 * The archive of what was published, which is emptied from its old end. All times are
 * those of the database.
 */
public final class JdbcArchive implements RetainedMessages {

	private final OwnTransactions transactions;

	private final String table;

	private final Supplier<Statements> statements;

	/**
	 * Create it.
	 * @param database the database of the outbox
	 */
	public JdbcArchive(OutboxDatabase database) {
		this.transactions = new OwnTransactions(database);
		this.table = database.tablePrefix() + "archive";
		this.statements = SingletonSupplier.of(() -> Statements.of(database.dialect().sql(), this.table));
	}

	@Override
	public String table() {
		return this.table;
	}

	@Override
	public long purge(Duration retention, BooleanSupplier goOn) {
		long removed = 0;
		Chunk last = Chunk.NONE;
		do {
			last = purge(retention, last.publishedAt());
			removed += last.ids().size();
		}
		while (!last.ids().isEmpty() && goOn.getAsBoolean());
		return removed;
	}

	/**
	 * Remove some.
	 * @param from rows that were deleted and not yet purged by the database are not gone
	 * through again and again if it begins where the one before has ended
	 */
	Chunk purge(Duration retention, long from) {
		return this.transactions.run(true, (jdbc) -> {
			Chunk chunk = jdbc.query(this.statements.get().lock(), JdbcArchive::firstOf, from,
					-retention.toNanos() / 1_000, PurgedRows.MOST);
			if (!chunk.ids().isEmpty()) {
				jdbc.update(this.statements.get().delete(), chunk.ids().toString());
			}
			return chunk;
		});
	}

	private static Chunk firstOf(ResultSet rows) throws SQLException {
		PurgedRows purged = new PurgedRows();
		long publishedAt = 0;
		while (rows.next() && purged.add(rows.getLong("id"), rows.getLong("payload_size"))) {
			publishedAt = rows.getLong("published");
		}
		return new Chunk(purged.ids(), publishedAt);
	}

	/**
	 * What one transaction has removed.
	 *
	 * @param ids which rows
	 * @param publishedAt when the last of them was published, in microseconds
	 */
	record Chunk(List<Long> ids, long publishedAt) {

		private static final Chunk NONE = new Chunk(List.of(), 0);

	}

	/**
	 * The statements.
	 *
	 * @param lock locks the oldest of what was published at some time, in microseconds,
	 * or later, and is older than some microseconds, and passes over what another
	 * instance has locked; the time, an age below zero, and a limit
	 * @param delete deletes rows
	 */
	record Statements(String lock, String delete) {

		static Statements of(SqlFragments sql, String table) {
			String lock = """
					SELECT a.id, a.payload_size, %s AS published FROM %s a %s WHERE a.published_at >= %s
					AND a.published_at < %s ORDER BY a.published_at LIMIT ? FOR UPDATE SKIP LOCKED""".formatted(
					sql.micros("a.published_at"), table, sql.by(table + "_published"), sql.after("?", sql.epoch()),
					sql.after("?", sql.now()));
			return new Statements(lock, sql.delete(sql.ids(), table, "a", sql.is("a.id", "w.id")));
		}

	}

}
