/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

import java.sql.Connection;
import java.util.Locale;
import java.util.Map;

import io.orderedoutbox.OutboxConfigurationException;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * What fills the gaps in the statements on the tables of the inbox: the words of one
 * database. Whatever a session is set to, they mean the same: text travels encoded where
 * the session could change it, and all times are those of the database.
 */
public sealed interface InboxSql permits MySqlInboxSql, PostgreSqlInboxSql, H2InboxSql {

	/**
	 * Return the words of the database behind a template.
	 * @param jdbc the template, on the transaction of the calling thread if there is one
	 * @return the words
	 * @throws OutboxConfigurationException if the inbox does not work on the database
	 * @throws org.springframework.dao.DataAccessException if it cannot be reached
	 */
	static InboxSql of(JdbcTemplate jdbc) {
		return of(String
			.valueOf(jdbc.execute((Connection connection) -> connection.getMetaData().getDatabaseProductName())));
	}

	/**
	 * Return the words of a database, and refuse one in which the inbox cannot be before
	 * it is asked anything that it may not understand.
	 * @param product how the database is called
	 * @return the words
	 * @throws OutboxConfigurationException if the inbox does not work on the database
	 */
	static InboxSql of(String product) {
		Map<String, InboxSql> known = Map.of("mysql", new MySqlInboxSql(), "mariadb", new MySqlInboxSql(), "postgresql",
				new PostgreSqlInboxSql(), "h2", new H2InboxSql());
		String name = product.toLowerCase(Locale.ROOT);
		return known.entrySet()
			.stream()
			.filter((entry) -> name.contains(entry.getKey()))
			.findFirst()
			.map(Map.Entry::getValue)
			.orElseThrow(() -> new OutboxConfigurationException("The inbox does not work on %s.".formatted(product),
					"Use MySQL 8.0.17 or newer, MariaDB 10.6 or newer, or PostgreSQL 14 or newer, and in tests also H2 2.4 or newer: mark the DataSource that leads there with @OutboxDataSource. Without such a database, set outbox.inbox.enabled=false."));
	}

	/**
	 * What is bound for a text.
	 * @param text the text
	 * @return the parameter of {@link #consumer()} and {@link #text()}
	 */
	default String encode(String text) {
		return EncodedText.of(text);
	}

	/**
	 * The text that a query has returned.
	 * @param encoded what {@link #encoded(String)} has selected
	 * @return the text
	 */
	default String decode(String encoded) {
		return EncodedText.decode(encoded);
	}

	/**
	 * The name of a consumer, of a parameter that is encoded.
	 * @return the expression
	 */
	String consumer();

	/**
	 * A text that may have any character, of a parameter that is encoded: as it is in a
	 * column.
	 * @return the expression
	 */
	String text();

	/**
	 * A column with such a text, to be decoded.
	 * @param column the column
	 * @return the expression
	 */
	String encoded(String column);

	/**
	 * The time at which the statement began.
	 * @return the expression
	 */
	String now();

	/**
	 * A time, as many microseconds after now as a parameter says.
	 * @return the expression
	 */
	String fromNow();

	/**
	 * For how many microseconds a time has been over.
	 * @param time the time
	 * @return the expression
	 */
	String age(String time);

	/**
	 * How many microseconds after the epoch a time is.
	 * @param time the time
	 * @return the expression
	 */
	String micros(String time);

	/**
	 * The time that is some microseconds after the epoch, a parameter.
	 * @return the expression
	 */
	String fromEpoch();

	/**
	 * The beginning of a SELECT that only looks, and that the server gives up where it
	 * can be told to.
	 * @return the words, up to what is selected
	 */
	String look();

	/**
	 * A statement that stores a row. If there is one with its key, it stores nothing, or
	 * fails where that undoes the statement alone.
	 * @param table the table
	 * @param columns its columns, with commas
	 * @param values the values, with commas
	 * @return the statement
	 */
	String insert(String table, String columns, String values);

	/**
	 * A statement that stores a row, unless there is one with its key. Where it has to
	 * fail then, that undoes the statement alone.
	 * @param table the table
	 * @param columns its columns, with commas
	 * @param values the values, with commas
	 * @param same a column that may be given the value that it has
	 * @return the statement
	 */
	String add(String table, String columns, String values, String same);

	/**
	 * A statement that removes the first rows that a condition is true for, as many as
	 * its last parameter says.
	 * @param table the table
	 * @param condition the condition
	 * @param order the column by which rows are the first
	 * @return the statement
	 */
	String deleteFirst(String table, String condition, String order);

	/**
	 * A statement that takes the lock of those that delete from a table, and returns 1,
	 * unless another session has it. Where there is no such lock it does nothing, and
	 * returns 1: those that delete at the same time must not disturb each other.
	 * @param table the table
	 * @return the statement
	 */
	String tryLock(String table);

	/**
	 * A statement that gives that lock back.
	 * @param table the table
	 * @return the statement
	 */
	String release(String table);

	/**
	 * Make tables while no other instance makes the same, where they would disturb each
	 * other.
	 * @param jdbc a template on one connection
	 * @param table one of the tables
	 * @param creation makes them, and leaves no transaction behind
	 */
	default void create(JdbcTemplate jdbc, String table, Runnable creation) {
		creation.run();
	}

	/**
	 * A statement that counts the columns of the primary key (consumer, message_id) in
	 * which different texts are different: upper and lower case, trailing spaces.
	 * @param table the table
	 * @return the statement
	 */
	String distinct(String table);

}
