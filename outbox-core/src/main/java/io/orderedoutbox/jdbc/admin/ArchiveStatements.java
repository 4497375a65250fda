/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.MessageSelection.By;
import io.orderedoutbox.admin.MessageState;
import io.orderedoutbox.admin.TimeRange;
import io.orderedoutbox.jdbc.OutboxStatements;
import io.orderedoutbox.jdbc.dialect.SqlFragments;

import static io.orderedoutbox.jdbc.dialect.SqlFragments.LOOK;
import static io.orderedoutbox.jdbc.admin.SelectionFragments.condition;
import static io.orderedoutbox.jdbc.admin.SelectionFragments.during;
import static io.orderedoutbox.jdbc.admin.SelectionFragments.index;

/**
 * The statements on the archive, with the name of the table filled in, except the one by
 * which messages come into it: see {@link OutboxStatements}.
 */
final class ArchiveStatements {

	private static final String PUBLISHED_AT = "a.published_at";

	private final SqlFragments sql;

	private final String columns;

	/** Its name. */
	final String table;

	/**
	 * How many messages there are, up to a limit, from the end where none are removed.
	 */
	final String count;

	/** A message with what it carried. */
	final String content;

	ArchiveStatements(SqlFragments sql, String prefix) {
		this.sql = sql;
		this.table = prefix + "archive";
		this.count = LOOK + "COUNT(*) FROM (SELECT id FROM %s %s ORDER BY published_at DESC LIMIT ?) w"
			.formatted(this.table, sql.by(this.table + "_published"));
		this.columns = InspectionStatements.columns(sql, "a", MessageState.ARCHIVED, PUBLISHED_AT);
		this.content = LOOK + """
				%s, %s FROM %s a %s WHERE a.message_id = ? ORDER BY a.id DESC LIMIT 1""".formatted(this.columns,
				InspectionStatements.carried(sql, "a", "a.payload_size", "?"), this.table,
				sql.by(this.table + "_message"));
	}

	/**
	 * A page of messages, the last one first. Within a range of time that is the one that
	 * was published last, unless one message or one key is selected.
	 * @param after the id behind which it begins, {@link Long#MAX_VALUE} for the first
	 * page
	 */
	String list(MessageSelection selection, TimeRange range, long after) {
		String during = during(this.sql, PUBLISHED_AT, range);
		boolean isByTime = !range.isAlways() && selection.by() != By.MESSAGE_ID && selection.by() != By.PARTITION_KEY;
		if (!isByTime) {
			return LOOK + "%s FROM %s a %s WHERE a.id < ? AND %s%s ORDER BY a.id DESC LIMIT ?".formatted(this.columns,
					this.table, this.sql.by(index(this.table, selection)), condition(this.sql, "a", selection), during);
		}
		String last = "(SELECT c.published_at FROM %s c WHERE c.id = %d)".formatted(this.table, after);
		String behind = (after == Long.MAX_VALUE) ? ""
				: " AND a.published_at <= %1$s AND (a.published_at < %1$s OR a.id < %2$d)".formatted(last, after);
		return LOOK + "%s FROM %s a %s WHERE a.id <> ?%s%s AND %s ORDER BY a.published_at DESC, a.id DESC LIMIT ?"
			.formatted(this.columns, this.table, this.sql.by(this.table + "_published"), behind, during,
					condition(this.sql, "a", selection));
	}

}
