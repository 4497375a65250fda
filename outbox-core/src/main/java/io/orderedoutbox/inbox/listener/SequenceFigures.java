/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;

import io.orderedoutbox.inbox.InboxSql;
import io.orderedoutbox.inbox.ParkingTime;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Which dead letters of some shards are followed by others.
 *
 * @param parkedKeys how many partitions, or partition keys, have such dead letters
 * @param deadLetters how many dead letters these have
 * @param oldest for how long the first of them has been one, by the clock of the
 * database, null if there are none
 * @param isMore whether there are more than were counted
 * @param heads the first dead letters of the keys that are parked, the oldest ones first,
 * and no more than a page of them
 */
public record SequenceFigures(long parkedKeys, long deadLetters, @Nullable Duration oldest, boolean isMore,
		List<Head> heads) {

	SequenceFigures with(List<Head> found) {
		return new SequenceFigures(this.parkedKeys, this.deadLetters, this.oldest, this.isMore, found);
	}

	/**
	 * The first dead letter of a key: the one that the others wait for.
	 *
	 * @param key {@code partition} with its number, or {@code key} with the partition key
	 * @param messageId the id of the message
	 * @param age for how long it has been a dead letter, by the clock of the database
	 */
	public record Head(String key, String messageId, Duration age) {

	}

	/**
	 * Asks the table of dead letters that others follow for its figures. The index has
	 * all that is counted; of the table itself no more rows are read than there are keys
	 * in the answer.
	 */
	static final class Query {

		private static final int MOST = 10_000;

		private final JdbcTemplate jdbc;

		private final InboxSql sql;

		private final String table;

		Query(JdbcTemplate jdbc, InboxSql sql, String table) {
			this.jdbc = jdbc;
			this.sql = sql;
			this.table = table;
		}

		/**
		 * Count the dead letters of some shards, up to {@value #MOST}, and find the first
		 * ones of the keys that are parked.
		 */
		SequenceFigures figures(String shards) {
			String encoded = this.sql.encode(shards);
			SequenceFigures counted = Objects
				.requireNonNull(this.jdbc.queryForObject(counted(), Query::figures, encoded, MOST + 1));
			return (counted.deadLetters() > 0) ? counted.with(this.jdbc.query(heads(), this::head, encoded, MOST + 1))
					: counted;
		}

		/**
		 * Count the keys that were parked then, and their dead letters. As many dead
		 * letters are looked at, and of each key one row of the table is read.
		 */
		SequenceFigures figures(String shards, ParkingTime time) {
			if (time.equals(ParkingTime.ANY)) {
				return figures(shards);
			}
			String encoded = this.sql.encode(shards);
			SequenceFigures counted = Objects
				.requireNonNull(this.jdbc.queryForObject(counted(time), Query::narrowed, encoded, MOST + 1));
			return (counted.deadLetters() > 0)
					? counted.with(this.jdbc.query(heads(time), this::head, encoded, MOST + 1)) : counted;
		}

		String counted(ParkingTime time) {
			String isThen = "CASE WHEN %s THEN %%s END".formatted(time.condition(this.sql, "oldest.created_at"));
			return """
					%s COUNT(%s) AS parked, COALESCE(SUM(%s), 0) AS letters, COALESCE(SUM(heads.letters), 0) AS looked, MAX(%s) AS age
					FROM (SELECT MIN(position) AS first, COUNT(*) AS letters FROM
					%s GROUP BY ordering_key) heads
					JOIN %s oldest ON oldest.position = heads.first"""
				.formatted(this.sql.look(), isThen.formatted("1"), isThen.formatted("heads.letters"),
						isThen.formatted(this.sql.age("oldest.created_at")), seen(), this.table);
		}

		String heads(ParkingTime time) {
			return """
					%s %s AS parked, %s AS message_id, %s AS age FROM
					(SELECT MIN(position) AS first FROM
					%s GROUP BY ordering_key) heads
					JOIN %s oldest ON oldest.position = heads.first WHERE %s ORDER BY oldest.position LIMIT 20"""
				.formatted(this.sql.look(), this.sql.encoded("oldest.ordering_key"),
						this.sql.encoded("oldest.message_id"), this.sql.age("oldest.created_at"), seen(), this.table,
						time.condition(this.sql, "oldest.created_at"));
		}

		private static SequenceFigures narrowed(ResultSet row, int number) throws SQLException {
			return new SequenceFigures(row.getLong("parked"), Math.min(row.getLong("letters"), MOST), age(row),
					row.getLong("looked") > MOST, List.of());
		}

		String counted() {
			return """
					%s counted.parked, counted.letters, %s AS age FROM
					(SELECT COUNT(DISTINCT ordering_key) AS parked, COUNT(*) AS letters, MIN(position) AS first FROM
					%s) counted LEFT JOIN %s oldest ON oldest.position = counted.first""".formatted(this.sql.look(),
					this.sql.age("oldest.created_at"), seen(), this.table);
		}

		String heads() {
			return """
					%s %s AS parked, %s AS message_id, %s AS age FROM
					(SELECT MIN(position) AS first FROM
					%s GROUP BY ordering_key ORDER BY first LIMIT 20) heads
					JOIN %s oldest ON oldest.position = heads.first ORDER BY oldest.position""".formatted(
					this.sql.look(), this.sql.encoded("oldest.ordering_key"), this.sql.encoded("oldest.message_id"),
					this.sql.age("oldest.created_at"), seen(), this.table);
		}

		private String seen() {
			return """
					(SELECT ordering_key, position FROM %s WHERE shards = %s
					ORDER BY ordering_key, position LIMIT ?) seen""".formatted(this.table, this.sql.text());
		}

		private static SequenceFigures figures(ResultSet row, int number) throws SQLException {
			long letters = row.getLong("letters");
			return new SequenceFigures(row.getLong("parked"), Math.min(letters, MOST), age(row), letters > MOST,
					List.of());
		}

		private SequenceFigures.Head head(ResultSet row, int number) throws SQLException {
			return new SequenceFigures.Head(this.sql.decode(row.getString("parked")),
					this.sql.decode(row.getString("message_id")),
					Objects.requireNonNull(age(row), "the column is never null"));
		}

		private static @Nullable Duration age(ResultSet row) throws SQLException {
			long micros = row.getLong("age");
			return row.wasNull() ? null : Duration.of(Math.max(micros, 0), ChronoUnit.MICROS);
		}

	}

}
