package io.orderedoutbox.store;

import static io.orderedoutbox.store.OutboxStatements.BY_ID;
import static io.orderedoutbox.store.OutboxStatements.IDS;
import static io.orderedoutbox.store.OutboxStatements.NOW;

/**
 * The statements on the archive, with the name of the table filled in, except the one by
 * which messages come into it: see {@link OutboxStatements}.
 */
final class ArchiveStatements {

	/** Its name. */
	final String table;

	/**
	 * Locks the oldest of what is older than some microseconds, and passes over what
	 * somebody else has locked; an age below zero, and a limit.
	 */
	final String lockOld;

	/** Deletes rows. */
	final String delete;

	ArchiveStatements(String prefix) {
		this.table = prefix + "archive";
		this.lockOld = """
				SELECT a.id, a.payload_size FROM %1$s a FORCE INDEX (%1$s_published)
				WHERE a.published_at < TIMESTAMPADD(MICROSECOND, ?, %2$s) ORDER BY a.published_at LIMIT ? FOR UPDATE SKIP LOCKED"""
			.formatted(this.table, NOW);
		this.delete = "DELETE a FROM %s STRAIGHT_JOIN %s a %s ON a.id = w.id".formatted(IDS, this.table, BY_ID);
	}

}
