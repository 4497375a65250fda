/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.MessageSelection.By;
import io.orderedoutbox.admin.TimeRange;
import io.orderedoutbox.jdbc.dialect.SqlFragments;

/**
 * What a selection is to statements, and what they bind for it.
 */
final class SelectionFragments {

	private SelectionFragments() {
	}

	/**
	 * Whether a row is selected. The condition binds the {@linkplain #value value} of the
	 * selection.
	 */
	static String condition(SqlFragments sql, String alias, MessageSelection selection) {
		return switch (selection.by()) {
			case MESSAGE_ID -> alias + ".message_id = ?";
			case PARTITION_KEY -> alias + ".partition_key = " + sql.text();
			case NAME -> alias + ".name = ?";
			// No statement knows groups: see Failure
			case GROUP, NOTHING -> "TRUE";
		};
	}

	/**
	 * Whether a time is in a range. The condition binds nothing, and follows another one.
	 */
	static String during(SqlFragments sql, String column, TimeRange range) {
		return sql.during(column, range.from(), range.until());
	}

	/**
	 * The index that finds what is selected, in the tables that have one for each
	 * selection.
	 */
	static String index(String table, MessageSelection selection) {
		return switch (selection.by()) {
			case MESSAGE_ID -> table + "_message";
			case PARTITION_KEY -> table + "_key";
			case NAME -> table + "_name";
			case GROUP, NOTHING -> "PRIMARY";
		};
	}

	/**
	 * How the message of a row has failed, if the selection asks for it.
	 */
	static Failure failure(MessageSelection selection, ResultSet rs) throws SQLException {
		return (selection.by() == By.GROUP) ? Failure.of(rs) : Failure.UNKNOWN;
	}

	/**
	 * Whether what has failed in some way is selected, where the condition has let it
	 * through.
	 */
	static boolean selects(MessageSelection selection, Failure failure) {
		return selection.by() != By.GROUP || failure.group().equals(selection.value());
	}

	/**
	 * What the condition binds: one value, or nothing.
	 */
	static List<String> value(SqlFragments sql, MessageSelection selection) {
		return switch (selection.by()) {
			case MESSAGE_ID, NAME -> List.of(selection.value());
			case PARTITION_KEY -> List.of(sql.encoded(selection.value()));
			case GROUP, NOTHING -> List.of();
		};
	}

	/**
	 * What a statement binds that has the condition once for each lane.
	 * @param lanes the lanes it looks at, nothing for all at once
	 */
	static Object[] values(SqlFragments sql, MessageSelection selection, List<Long> lanes) {
		return Collections.nCopies(Math.max(1, lanes.size()), value(sql, selection))
			.stream()
			.flatMap(List::stream)
			.toArray();
	}

	/**
	 * What a statement binds that ends with the condition and a limit.
	 * @param before what it binds before these
	 */
	static Object[] arguments(SqlFragments sql, MessageSelection selection, int limit, Object... before) {
		List<Object> arguments = new ArrayList<>(List.of(before));
		arguments.addAll(value(sql, selection));
		arguments.add(limit);
		return arguments.toArray();
	}

}
