package io.orderedoutbox.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The archive of what was published, which is emptied from its old end. All times are
 * those of the database.
 */
public final class JdbcArchive {

	private static final int MOST = 500;

	// What is deleted is written to the binary log, with its payload
	private static final long MAX_BYTES = 4 << 20;

	private final OwnTransactions transactions;

	private final ArchiveStatements statements;

	/**
	 * Create it.
	 * @param database the database of the outbox
	 */
	public JdbcArchive(OutboxDatabase database) {
		this.transactions = new OwnTransactions(database.dataSource());
		this.statements = new ArchiveStatements(database.tablePrefix());
	}

	/**
	 * Return the name of the table.
	 * @return the name
	 */
	public String table() {
		return this.statements.table;
	}

	/**
	 * Remove some of what is older, in a short transaction of its own. What another
	 * instance is about to remove is left to it, and not waited for.
	 * @param retention for how long messages are kept
	 * @return how many were removed, zero if there is nothing more to do
	 */
	public int purge(Duration retention) {
		return this.transactions.run(true, (jdbc) -> delete(jdbc,
				jdbc.query(this.statements.lockOld, JdbcArchive::firstOf, -retention.toNanos() / 1_000, MOST)));
	}

	private int delete(JdbcTemplate jdbc, List<Long> ids) {
		return ids.isEmpty() ? 0 : jdbc.update(this.statements.delete, ids.toString());
	}

	// As many as a transaction can take, but one at least
	private static List<Long> firstOf(ResultSet rows) throws SQLException {
		List<Long> ids = new ArrayList<>();
		long bytes = 0;
		while (rows.next()) {
			bytes += rows.getLong("payload_size");
			if (!ids.isEmpty() && bytes > MAX_BYTES) {
				break;
			}
			ids.add(rows.getLong("id"));
		}
		return ids;
	}

}
