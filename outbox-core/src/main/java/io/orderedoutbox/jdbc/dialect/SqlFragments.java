/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.dialect;

import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Base64;

/**
 * What the statements of the outbox have in common, and what each database calls it. The
 * statements are written once, with these in their gaps. What most databases call alike
 * has that as a default.
 * <p>
 * The library hands lists of ids over as one JSON array and joins them, never as
 * {@code IN (…)}: the optimizer of MySQL turns a list that covers much of a small table
 * into a full scan, which then locks or waits for rows that are not ours. So a join
 * begins with the list, and finds each row by its primary key.
 * <p>
 * No setting of a session changes what a statement means. Its text is ASCII, and so is
 * what it binds: numbers, and any other text encoded, since a driver writes characters in
 * the character set of the connection and escapes some of them, and the server reads them
 * in the character set and with the {@code sql_mode} of the session. The two need not
 * agree.
 */
public interface SqlFragments extends LookupFragments, TimeFragments {

	/**
	 * The beginning of every statement that only looks: the look has to end soon. A
	 * comment where the database has no such hints.
	 */
	String LOOK = "SELECT /*+ MAX_EXECUTION_TIME(4000) SET_VAR(sql_big_selects = ON) */ ";

	/** What is bound for {@link #text()}: ASCII without quotes. */
	default String encoded(String text) {
		return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
	}

	/** A column whose name may be a word of the database. */
	default String column(String name) {
		return name;
	}

	/** A parameter of which the statement does not tell the type. */
	default String parameter(String type) {
		return "?";
	}

	/** A lane and a position as {@link #places} takes them. */
	static String place(long lane, long id) {
		return "[%d,%d]".formatted(lane, id);
	}

	/** One of two values. */
	static String choose(String condition, String then, String otherwise) {
		return "CASE WHEN %s THEN %s ELSE %s END".formatted(condition, then, otherwise);
	}

	/**
	 * A list of lists as a table {@code w}: {@code [[7,1,null],[-5,2,"a"]]}.
	 * @param json an expression for the list
	 * @param columns the columns of the table, each with its type: BIGINT, INT, or TEXT
	 * for ASCII
	 */
	String listOf(String json, String... columns);

	/** A list that is bound. */
	default String list(String... columns) {
		return listOf("?", columns);
	}

	/**
	 * A list of ids as a table {@code w (id)}: {@code [1,2]}.
	 * @param json an expression for the list
	 */
	String idsOf(String json);

	/** A list of ids that is bound. */
	default String ids() {
		return idsOf("?");
	}

	/**
	 * A list of lanes and positions that is bound, as a table {@code w (lane, id)}:
	 * {@code [[7,1],[-5,2]]}.
	 */
	default String places() {
		return list("lane BIGINT", "id BIGINT");
	}

	/** Makes a statement with a list mean the same in any session. */
	default String inAnySession(String statement) {
		return statement;
	}

	/** The messages {@code m} at a list of places. */
	default String messagesAtPlaces(String messageTable) {
		return joined(places(), messageTable + " m", byId(), isAtPlace());
	}

	/** The rows of a table that have the ids of a list. */
	default String rowsOfIds(String table, String alias) {
		return joined(ids(), table + " " + alias, byId(), is(alias + ".id", "w.id"));
	}

	/**
	 * Changes the rows of a table that belong to entries of a list.
	 * @param source the list, with what is joined to it
	 * @param condition which rows these are, by {@code w} and the table
	 * @param assignments what is set, by {@code w} and the table; each begins with a
	 * column
	 */
	String update(String source, String table, String alias, String condition, String... assignments);

	/** Deletes the rows of a table that belong to entries of a list. */
	String delete(String source, String table, String alias, String condition);

	/**
	 * Inserts rows, and changes those that are there.
	 * @param columns the columns of the rows
	 * @param rows the rows: VALUES of one, or a SELECT
	 * @param key the columns of the primary key
	 * @param assignments what is set in a row that is there, each beginning with a column
	 */
	String insertOrUpdate(String table, String columns, String rows, String key, String... assignments);

	/**
	 * In an assignment of {@link #insertOrUpdate}: what would have been inserted.
	 */
	String inserted(String column);

	/** The limit of a statement that changes rows, for sessions that demand one. */
	default String limitOfChange() {
		return "";
	}

	/** The locking clause for the one table of a join that is to be locked. */
	String lockOf(String alias);

	/** Has rows locked in the order of an expression, where a join does not say so. */
	default String inOrderOf(String expression) {
		return "ORDER BY " + expression;
	}

	/** Text, of a parameter that is {@linkplain #encoded encoded}. */
	default String text() {
		return textOf("?");
	}

	/** Text, of an expression that is encoded. */
	String textOf(String encoded);

	/** The same as the value of a column in an INSERT. */
	default String textOfColumn() {
		return text();
	}

	/** Bytes, of a parameter that {@link #bind} sets. */
	String bytes();

	/** Binds bytes, in Base64 unless the database takes them as they are. */
	default void bind(PreparedStatement statement, int parameter, byte[] bytes) throws SQLException {
		statement.setString(parameter, Base64.getEncoder().encodeToString(bytes));
	}

	/** The bytes of a text in UTF-8. */
	String utf8(String text);

	/** The beginning of bytes, as long as a number or a parameter says. */
	String beginning(String bytes, String length);

	/** Whether a key has a hash. True where no CRC32 is known that could tell. */
	default String isHashOf(String hash, String key) {
		return "TRUE";
	}

	/**
	 * The hash of a key, where no CRC32 is known the given one.
	 * @param given the same, as the library has computed it
	 */
	default String hash(String key, String given) {
		return given;
	}

	/** What a SELECT selects: the comment on a table. */
	String commentOn(String table);

	/**
	 * A statement that returns how many {@code rows} a table has, as the optimizer sees
	 * it.
	 */
	String estimateOf(String table);

	/** What tells one server from another: on another one positions mean nothing. */
	String server();

	/** What tells one connection to a server from another. */
	String connection();

	/** Whether the server takes no changes, as a replica. */
	String readOnly();

}
