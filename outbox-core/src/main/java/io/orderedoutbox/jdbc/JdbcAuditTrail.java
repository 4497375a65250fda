/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

import io.orderedoutbox.admin.AuditEntry;
import io.orderedoutbox.admin.AuditTrail;
import io.orderedoutbox.admin.OperatorAction;
import io.orderedoutbox.admin.TimeRange;
import io.orderedoutbox.jdbc.dialect.SqlFragments;
import org.jspecify.annotations.Nullable;

import static io.orderedoutbox.jdbc.dialect.SqlFragments.LOOK;

/**
 * {@link AuditTrail} in a table of the outbox, which may be missing: then the log alone
 * tells what operators have done. Entries are never removed.
 */
public final class JdbcAuditTrail implements AuditTrail {

	private static final int LONGEST_NAME = 190;

	private static final int LONGEST_TEXT = 1000;

	private final OptionalTable table;

	private final OutboxDatabase database;

	/**
	 * Create it.
	 * @param database the database of the outbox
	 */
	public JdbcAuditTrail(OutboxDatabase database) {
		this.table = new OptionalTable(database, "audit");
		this.database = database;
	}

	@Override
	public void record(OperatorAction action) {
		SqlFragments sql = this.database.dialect().sql();
		String record = """
				INSERT INTO %1$s (done_at, operator, verb, selection, affected, passed_over, error)
				VALUES (%2$s, %3$s, ?, %3$s, ?, ?, %3$s)""".formatted(this.table.name(), sql.now(), sql.textOfColumn());
		this.table.update(record, encoded(action.operator(), LONGEST_NAME), action.verb(),
				encoded(action.selection(), LONGEST_TEXT), action.affected(), action.passedOver(),
				encoded(action.error(), LONGEST_TEXT));
	}

	private @Nullable String encoded(@Nullable String text, int longest) {
		return (text != null)
				? this.database.dialect().sql().encoded(text.substring(0, Math.min(longest, text.length()))) : null;
	}

	@Override
	public List<AuditEntry> list(TimeRange range, long before, int size) {
		SqlFragments sql = this.database.dialect().sql();
		String list = LOOK + "a.*, %s AS done FROM %s a WHERE a.id < ?%s ORDER BY a.id DESC LIMIT ?".formatted(
				sql.micros("a.done_at"), this.table.name(), sql.during("a.done_at", range.from(), range.until()));
		List<AuditEntry> found = this.table.read((jdbc) -> jdbc.query(list, JdbcAuditTrail::entry, before, size));
		return (found != null) ? found : List.of();
	}

	private static AuditEntry entry(ResultSet rs, int index) throws SQLException {
		return new AuditEntry(rs.getLong("id"), Instant.EPOCH.plus(rs.getLong("done"), ChronoUnit.MICROS),
				new OperatorAction(rs.getString("operator"), rs.getString("verb"), rs.getString("selection"),
						rs.getLong("affected"), rs.getLong("passed_over"), rs.getString("error")));
	}

}
