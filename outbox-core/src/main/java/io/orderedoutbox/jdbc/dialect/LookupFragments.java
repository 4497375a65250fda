/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.dialect;

/**
 * How rows are found by an index, whatever the database takes for their number: it counts
 * them now and then, and an outbox fills and empties all day.
 */
public interface LookupFragments {

	/** Joins in the order of the text, where the database may be told so. */
	default String join() {
		return "JOIN";
	}

	/** Says which indexes are to be used, where the database may be told so. */
	default String by(String indexes) {
		return "";
	}

	/** Says that rows are to be found by the primary key. */
	default String byId() {
		return by("PRIMARY");
	}

	/**
	 * The rows of a table that belong to entries of a list, in the order of the list
	 * where the database may be told so.
	 * @param list the list, with what is joined to it
	 * @param table the table and its alias
	 * @param by which indexes are to be used
	 * @param condition which rows these are
	 */
	default String joined(String list, String table, String by, String condition) {
		return "%s %s %s %s ON %s".formatted(list, join(), table, by, condition);
	}

	/**
	 * Whether a column of an index equals something else. Every statement that finds the
	 * rows of a table by such a column says it in this way.
	 */
	default String is(String column, String value) {
		return column + " = " + value;
	}

	/**
	 * Whether a message {@code m} is the one of an entry of
	 * {@link SqlFragments#places()}.
	 */
	default String isAtPlace() {
		return is("m.lane", "w.lane") + " AND " + is("m.id", "w.id");
	}

	/**
	 * Joins the first message {@code m} in a lane.
	 * @param position an expression for the position of that message
	 */
	default String joinFirst(String messageTable, String lane, String position) {
		return "%s %s m %s ON %s AND %s".formatted(join(), messageTable, byId(), is("m.lane", lane),
				is("m.id", position));
	}

	/**
	 * Which messages {@code m} are in a lane from one position to another, both included.
	 * They are read in the order of {@code m.lane, m.id}, by the primary key.
	 */
	default String inLane(long lane, long first, long last) {
		return "m.lane = %d AND m.id BETWEEN %d AND %d".formatted(lane, first, last);
	}

}
