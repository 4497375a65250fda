package io.orderedoutbox.jdbc.admin;

import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.MessageSelection.By;
import io.orderedoutbox.admin.MessageState;
import io.orderedoutbox.admin.TimeRange;
import io.orderedoutbox.jdbc.OutboxStatements;

import static io.orderedoutbox.jdbc.SqlFragments.BY_ID;
import static io.orderedoutbox.jdbc.SqlFragments.IDS;
import static io.orderedoutbox.jdbc.SqlFragments.LOOK;
import static io.orderedoutbox.jdbc.SqlFragments.MICROS;
import static io.orderedoutbox.jdbc.SqlFragments.NOW;
import static io.orderedoutbox.jdbc.admin.SelectionFragments.condition;
import static io.orderedoutbox.jdbc.admin.SelectionFragments.during;
import static io.orderedoutbox.jdbc.admin.SelectionFragments.index;

/**
 * The statements on the archive, with the name of the table filled in, except the one by
 * which messages come into it: see {@link OutboxStatements}.
 */
final class ArchiveStatements {

	private static final String PUBLISHED_AT = "a.published_at";

	private final String columns;

	/** Its name. */
	final String table;

	/**
	 * How many messages there are, up to a limit, from the end where none are removed.
	 */
	final String count;

	/** A message with what it carried. */
	final String content;

	/**
	 * Locks the oldest of what was published at some time, in microseconds, or later, and
	 * is older than some microseconds, and passes over what another instance has locked;
	 * the time, an age below zero, and a limit.
	 */
	final String lockOld;

	/** Deletes rows. */
	final String delete;

	ArchiveStatements(String prefix) {
		this.table = prefix + "archive";
		this.count = LOOK
				+ "COUNT(*) FROM (SELECT id FROM %1$s FORCE INDEX (%1$s_published) ORDER BY published_at DESC LIMIT ?) w"
					.formatted(this.table);
		this.columns = InspectionStatements.columns("a", MessageState.ARCHIVED, PUBLISHED_AT);
		this.content = LOOK + """
				%s, %s FROM %3$s a FORCE INDEX (%3$s_message) WHERE a.message_id = ? ORDER BY a.id DESC LIMIT 1"""
			.formatted(this.columns, InspectionStatements.carried("a", "a.payload_size"), this.table);
		this.lockOld = """
				SELECT a.id, a.payload_size, %3$s AS published FROM %1$s a FORCE INDEX (%1$s_published)
				WHERE a.published_at >= TIMESTAMPADD(MICROSECOND, ?, '1970-01-01')
				AND a.published_at < TIMESTAMPADD(MICROSECOND, ?, %2$s) ORDER BY a.published_at LIMIT ? FOR UPDATE SKIP LOCKED"""
			.formatted(this.table, NOW, MICROS.formatted(PUBLISHED_AT));
		this.delete = "DELETE a FROM %s STRAIGHT_JOIN %s a %s ON a.id = w.id".formatted(IDS, this.table, BY_ID);
	}

	/**
	 * A page of messages, the last one first. Within a range of time that is the one that
	 * was published last, unless one message or one key is selected.
	 * @param after the id behind which it begins, {@link Long#MAX_VALUE} for the first
	 * page
	 */
	String list(MessageSelection selection, TimeRange range, long after) {
		boolean isByTime = !range.isAlways() && selection.by() != By.MESSAGE_ID && selection.by() != By.PARTITION_KEY;
		if (!isByTime) {
			return LOOK + "%s FROM %s a FORCE INDEX (%s) WHERE a.id < ? AND %s%s ORDER BY a.id DESC LIMIT ?".formatted(
					this.columns, this.table, index(this.table, selection), condition("a", selection),
					during(PUBLISHED_AT, range));
		}
		String last = "(SELECT c.published_at FROM %s c WHERE c.id = %d)".formatted(this.table, after);
		String behind = (after == Long.MAX_VALUE) ? ""
				: " AND a.published_at <= %1$s AND (a.published_at < %1$s OR a.id < %2$d)".formatted(last, after);
		return LOOK
				+ "%1$s FROM %2$s a FORCE INDEX (%2$s_published) WHERE a.id <> ?%3$s%4$s AND %5$s ORDER BY a.published_at DESC, a.id DESC LIMIT ?"
					.formatted(this.columns, this.table, behind, during(PUBLISHED_AT, range),
							condition("a", selection));
	}

}
