/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.function.SingletonSupplier;

/**
 * The statements on the table of the inbox.
 */
final class InboxRecords {

	private final JdbcTemplate jdbc;

	private final Supplier<InboxSql> sql;

	private final Supplier<Statements> statements;

	/**
	 * Create the statements. Nothing connects before the first of them is needed.
	 */
	InboxRecords(JdbcTemplate jdbc, String table) {
		this.jdbc = jdbc;
		this.sql = SingletonSupplier.of(() -> InboxSql.of(jdbc));
		this.statements = SingletonSupplier.of(() -> Statements.of(this.sql.get(), table));
	}

	/**
	 * Store that a message was processed. Waits for another transaction that is about to
	 * store the same. What has been done in the transaction stays as it is.
	 * @return whether it was not there
	 */
	boolean insert(InboxRecord inboxRecord) {
		try {
			return this.jdbc.update(this.statements.get().insert(), parameters(inboxRecord)) == 1;
		}
		catch (DuplicateKeyException ex) {
			return false;
		}
	}

	/**
	 * Look whether the transaction sees exactly this record: not one that another
	 * processing has stored for the same message.
	 */
	boolean exists(InboxRecord inboxRecord) {
		return Integer.valueOf(1)
			.equals(this.jdbc.queryForObject(this.statements.get().find(), Integer.class, parameters(inboxRecord)));
	}

	private Object[] parameters(InboxRecord inboxRecord) {
		InboxSql sql = this.sql.get();
		return new Object[] { sql.encode(inboxRecord.consumer()), sql.encode(inboxRecord.messageId()),
				inboxRecord.processingId() };
	}

	long countOlderThan(Duration age) {
		Long count = this.jdbc.queryForObject(this.statements.get().countOld(), Long.class, micros(age));
		return (count != null) ? count : 0;
	}

	/**
	 * Find the oldest record.
	 * @param from where to begin, in microseconds after the epoch
	 * @return when it was stored, nothing if it is not that old
	 */
	List<Long> oldestOlderThan(Duration age, long from) {
		return this.jdbc.queryForList(this.statements.get().oldest(), Long.class, from, micros(age));
	}

	int deleteOlderThan(Duration age, long from, int most) {
		return this.jdbc.update(this.statements.get().deleteOld(), from, micros(age), most);
	}

	private static long micros(Duration age) {
		return -age.toNanos() / 1_000;
	}

	/** Take the lock of those that delete, unless another session has it. */
	boolean tryLock() {
		return Integer.valueOf(1).equals(this.jdbc.queryForObject(this.statements.get().lock(), Integer.class));
	}

	void release() {
		this.jdbc.queryForObject(this.statements.get().release(), Integer.class);
	}

	/**
	 * Look whether the table is there.
	 * @return whether different ids are different to it
	 */
	boolean check() {
		this.jdbc.query(this.statements.get().probe(), (row) -> {
		});
		return Integer.valueOf(2).equals(this.jdbc.queryForObject(this.statements.get().distinct(), Integer.class));
	}

	/**
	 * The statements, with the name of the table and the words of the database filled in.
	 *
	 * @param insert stores a record
	 * @param find counts the records that are exactly this one
	 * @param countOld counts what is too old
	 * @param oldest the time of the first of that, from some time on
	 * @param deleteOld deletes the first of that, from some time on
	 * @param lock takes the lock of those that delete
	 * @param release gives it back
	 * @param probe fails if the table is not there
	 * @param distinct counts the columns of the primary key in which different ids are
	 * different
	 */
	private record Statements(String insert, String find, String countOld, String oldest, String deleteOld, String lock,
			String release, String probe, String distinct) {

		static Statements of(InboxSql sql, String table) {
			String columns = "consumer, message_id, processing_id, processed_at";
			String old = "processed_at < " + sql.fromNow();
			String next = "processed_at >= %s AND %s".formatted(sql.fromEpoch(), old);
			return new Statements(
					sql.insert(table, columns, "%s, %s, ?, %s".formatted(sql.consumer(), sql.text(), sql.now())),
					"SELECT COUNT(*) FROM %s WHERE consumer = %s AND message_id = %s AND processing_id = ?"
						.formatted(table, sql.consumer(), sql.text()),
					"SELECT COUNT(*) FROM %s WHERE %s".formatted(table, old),
					"SELECT %s FROM %s WHERE %s ORDER BY processed_at LIMIT 1".formatted(sql.micros("processed_at"),
							table, next),
					sql.deleteFirst(table, next, "processed_at"), sql.tryLock(table), sql.release(table),
					"SELECT %s FROM %s LIMIT 0".formatted(columns, table), sql.distinct(table));
		}

	}

}
