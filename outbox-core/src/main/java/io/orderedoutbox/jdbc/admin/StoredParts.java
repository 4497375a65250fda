/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.util.List;
import java.util.Objects;

import io.orderedoutbox.admin.MessageContent;
import io.orderedoutbox.admin.MessageExport;
import io.orderedoutbox.admin.MessageState;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.OwnTransactions;
import io.orderedoutbox.jdbc.dialect.SqlFragments;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * What is dead or archived, the oldest first. What becomes so after the first part was
 * read is left out, or the export might never end.
 */
final class StoredParts implements ExportedParts {

	private final OwnTransactions transactions;

	private final OutboxDatabase database;

	private final MessageExport export;

	private final String table;

	private final String sizes;

	private final String contents;

	private @Nullable IdRange left;

	StoredParts(OwnTransactions transactions, OutboxDatabase database, MessageExport export) {
		this.transactions = transactions;
		this.database = database;
		this.export = export;
		SqlFragments sql = database.dialect().sql();
		this.table = database.tablePrefix() + (isOfArchive() ? "archive" : "dead_letter");
		String time = isOfArchive() ? "m.published_at" : "m.dead_at";
		String size = isOfArchive() ? "m.payload_size" : "LENGTH(m.payload)";
		String from = "FROM %s m %s WHERE m.id >= ? AND m.id <= ? AND %s%s ORDER BY m.id LIMIT ?".formatted(this.table,
				sql.by(SelectionFragments.index(this.table, export.selection())),
				SelectionFragments.condition(sql, "m", export.selection()),
				SelectionFragments.during(sql, time, export.range()));
		this.sizes = "SELECT m.id AS position, %s %s".formatted(ExportedParts.size(export, size), from);
		this.contents = "SELECT %s, %s %s".formatted(InspectionStatements.columns(sql, "m", export.state(), time),
				ExportedParts.carried(sql, export, size), from);
	}

	private boolean isOfArchive() {
		return this.export.state() == MessageState.ARCHIVED;
	}

	@Override
	public boolean haveEnded() {
		return this.left != null && this.left.first() > this.left.last();
	}

	@Override
	public List<MessageContent> next() {
		return this.transactions.read(this::next);
	}

	private List<MessageContent> next(JdbcTemplate jdbc) {
		IdRange range = (this.left != null) ? this.left : ids(jdbc);
		List<Sized> found = jdbc.query(this.sizes, Sized.ROW, arguments(range.first(), range.last(), MESSAGES));
		int fitting = Sized.fitting(found);
		long last = (fitting > 0) ? found.get(fitting - 1).position() : range.last();
		List<MessageContent> part = (fitting > 0)
				? jdbc.query(this.contents, Listed.CONTENT, arguments(range.first(), last, UP_TO_THE_LAST)) : List.of();
		this.left = new IdRange(last + 1, range.last());
		return part;
	}

	// There are few dead letters, and no index finds them by time
	private IdRange ids(JdbcTemplate jdbc) {
		return isOfArchive() ? IdRange.find(jdbc, this.database, this.export.range()) : new IdRange(1, Objects
			.requireNonNull(jdbc.queryForObject("SELECT COALESCE(MAX(id), 0) FROM " + this.table, Long.class)));
	}

	private Object[] arguments(long first, long last, int limit) {
		return SelectionFragments.arguments(this.database.dialect().sql(), this.export.selection(), limit, first, last);
	}

}
