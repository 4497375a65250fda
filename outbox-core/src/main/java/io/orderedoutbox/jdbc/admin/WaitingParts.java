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
import io.orderedoutbox.admin.OutboxFigures;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.OwnTransactions;
import io.orderedoutbox.jdbc.dialect.SqlFragments;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;

/**
 * What is in the outbox, in the order of its list. What comes behind the last message, or
 * the last parked key, after the first part was read is left out, or the export might
 * never end. For each part no more is looked at than for a page of the list.
 */
final class WaitingParts implements ExportedParts {

	private static final int MOST = OutboxFigures.MAX_EXAMINED;

	private static final String SIZE = "m.payload_size";

	private final OwnTransactions transactions;

	private final OutboxDatabase database;

	private final InspectionStatements statements;

	private final MessageExport export;

	private final boolean isOfStuck;

	// Positions of stuck messages are their lanes, negated
	private @Nullable Long last;

	private long after;

	private boolean ended;

	WaitingParts(OwnTransactions transactions, OutboxDatabase database, InspectionStatements statements,
			MessageExport export) {
		this.transactions = transactions;
		this.database = database;
		this.statements = statements;
		this.export = export;
		this.isOfStuck = export.state() == MessageState.STALLED || export.state() == MessageState.BLOCKED;
	}

	@Override
	public boolean haveEnded() {
		return this.ended;
	}

	@Override
	public List<MessageContent> next() {
		return this.transactions.read(this::next);
	}

	private List<MessageContent> next(JdbcTemplate jdbc) {
		long bound = (this.last != null) ? this.last : bound(jdbc);
		List<Long> lanes = this.isOfStuck ? List.of()
				: Inspection.lanes(jdbc, this.database, this.statements, this.export.selection());
		LookedRange range = range(jdbc, lanes, bound);
		long end = Math.min(bound, range.last());
		List<Sized> found = read(jdbc, ExportedParts.size(this.export, SIZE), Sized.ROW, lanes, end, MESSAGES);
		int fitting = Sized.fitting(found);
		long to = (fitting < found.size() || found.size() == MESSAGES) ? found.get(fitting - 1).position() : end;
		List<MessageContent> part = (fitting > 0)
				? read(jdbc, ExportedParts.carried(sql(), this.export, SIZE), Listed.CONTENT, lanes, to, UP_TO_THE_LAST)
				: List.of();
		this.last = bound;
		this.after = to;
		this.ended = to >= bound || (to == end && range.isTheLast());
		return part;
	}

	private long bound(JdbcTemplate jdbc) {
		String prefix = this.database.tablePrefix();
		String last = this.isOfStuck ? "COALESCE(-MIN(lane), 0) FROM %sparked %s WHERE is_delayed = FALSE".formatted(
				prefix, this.statements.keys.byDelay()) : "COALESCE(MAX(id), 0) FROM %smessage".formatted(prefix);
		return Objects.requireNonNull(jdbc.queryForObject(SqlFragments.LOOK + last, Long.class));
	}

	private LookedRange range(JdbcTemplate jdbc, List<Long> lanes, long bound) {
		if (!this.isOfStuck) {
			return LookedRange.find(jdbc, this.statements.range(lanes, this.after, MOST), MOST);
		}
		if (this.statements.keys.isOfOneKey(this.export.selection())) {
			return new LookedRange(bound, true);
		}
		LookedRange range = LookedRange.find(jdbc, this.statements.rangeOfParkedKeys, MOST, -this.after, MOST);
		return new LookedRange(-range.last(), range.isTheLast());
	}

	private <T> List<T> read(JdbcTemplate jdbc, String carried, RowMapper<T> row, List<Long> lanes, long to,
			int limit) {
		if (this.isOfStuck) {
			return jdbc.query(this.statements.listStuck(this.export.selection(), this.export.range(), ", " + carried),
					row, SelectionFragments.arguments(sql(), this.export.selection(), limit, -this.after, -to,
							this.export.state() == MessageState.BLOCKED));
		}
		return jdbc.query(
				this.statements.list(this.export.state(), this.export.selection(), this.export.range(), ", " + carried,
						lanes, this.after, to, limit),
				row, SelectionFragments.values(sql(), this.export.selection(), lanes));
	}

	private SqlFragments sql() {
		return this.database.dialect().sql();
	}

}
