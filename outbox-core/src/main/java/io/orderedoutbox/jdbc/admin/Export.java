/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

import io.orderedoutbox.admin.MessageContent;
import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.MessageState;
import io.orderedoutbox.admin.TimeRange;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.OwnTransactions;
import io.orderedoutbox.jdbc.dialect.SqlFragments;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;

/**
 * Reads what is dead or archived with all that it carries, the oldest first, a part at a
 * time: the target is not waited for while a connection is in use.
 */
final class Export {

	private static final int PART = 100;

	private static final RowMapper<Row> ROW = (rs, index) -> new Row(rs.getLong("position"),
			Objects.requireNonNull(Listed.CONTENT.mapRow(rs, index)));

	private final OwnTransactions transactions;

	private final OutboxDatabase database;

	private final boolean isOfArchive;

	private final String table;

	private final MessageSelection selection;

	private final TimeRange range;

	private final String next;

	Export(OwnTransactions transactions, OutboxDatabase database, MessageState state, MessageSelection selection,
			TimeRange range) {
		this.transactions = transactions;
		this.database = database;
		this.isOfArchive = state == MessageState.ARCHIVED;
		this.selection = selection;
		this.range = range;
		SqlFragments sql = database.dialect().sql();
		this.table = database.tablePrefix() + (this.isOfArchive ? "archive" : "dead_letter");
		String time = this.isOfArchive ? "m.published_at" : "m.dead_at";
		this.next = "SELECT %s, %s FROM %s m %s WHERE m.id > ? AND m.id <= ? AND %s%s ORDER BY m.id LIMIT ?".formatted(
				InspectionStatements.columns(sql, "m", state, time),
				InspectionStatements.carried(sql, "m", "LENGTH(m.payload)"), this.table,
				sql.by(SelectionFragments.index(this.table, selection)),
				SelectionFragments.condition(sql, "m", selection), SelectionFragments.during(sql, time, range));
	}

	/**
	 * Hand it all over.
	 * @return how many messages there were
	 */
	long run(Consumer<MessageContent> target) {
		IdRange ids = this.transactions.read(this::ids);
		long after = ids.first() - 1;
		long exported = 0;
		List<Row> part;
		do {
			part = next(after, ids.last());
			for (Row row : part) {
				target.accept(row.content());
				after = row.id();
				exported++;
			}
		}
		while (!part.isEmpty());
		return exported;
	}

	// There are few dead letters, and no index finds them by time. Those that come later
	// are left out, or the export might never end
	private IdRange ids(JdbcTemplate jdbc) {
		return this.isOfArchive ? IdRange.find(jdbc, this.database, this.range) : new IdRange(1, Objects
			.requireNonNull(jdbc.queryForObject("SELECT COALESCE(MAX(id), 0) FROM " + this.table, Long.class)));
	}

	private List<Row> next(long after, long last) {
		List<Object> arguments = new ArrayList<>(List.of(Integer.MAX_VALUE, after, last));
		arguments.addAll(SelectionFragments.value(this.database.dialect().sql(), this.selection));
		arguments.add(PART);
		return this.transactions.read((jdbc) -> jdbc.query(this.next, ROW, arguments.toArray()));
	}

	private record Row(long id, MessageContent content) {

	}

}
