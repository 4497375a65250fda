/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

import javax.sql.DataSource;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Removes records that are older than consumers need them, by the clock of the database.
 * <p>
 * A purge deletes a little at a time, each in a short transaction of its own, on one
 * instance at a time, except on H2, which has no lock for that. What is inserted
 * meanwhile is never waited for, and never waits.
 */
public final class InboxRetention {

	private static final int MOST = 1_000;

	private final DataSource dataSource;

	private final String table;

	private final Duration retention;

	/**
	 * Create it.
	 * @param dataSource where the table is
	 * @param table the name of the table
	 * @param retention for how long records are kept
	 */
	public InboxRetention(DataSource dataSource, String table, Duration retention) {
		this.dataSource = dataSource;
		this.table = table;
		this.retention = retention;
	}

	/**
	 * Return how many records a purge would remove now.
	 * @return how many are too old
	 */
	public long dryRun() {
		return new InboxRecords(new JdbcTemplate(this.dataSource), this.table).countOlderThan(this.retention);
	}

	/**
	 * Remove what is too old, unless another instance is at it.
	 * @param goOn asked after each transaction whether there may be another one
	 * @return how many were removed
	 */
	public long purge(BooleanSupplier goOn) {
		try (Connection connection = this.dataSource.getConnection()) {
			boolean autoCommit = connection.getAutoCommit();
			int isolation = connection.getTransactionIsolation();
			connection.setAutoCommit(true);
			// Without gap locks, which inserts would wait for
			connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
			try {
				return purge(new InboxRecords(new JdbcTemplate(new SingleConnectionDataSource(connection, true)),
						this.table), goOn);
			}
			finally {
				connection.setTransactionIsolation(isolation);
				connection.setAutoCommit(autoCommit);
			}
		}
		catch (SQLException ex) {
			throw new DataAccessResourceFailureException("The connection to the database fails: " + ex.getMessage(),
					ex);
		}
	}

	private long purge(InboxRecords records, BooleanSupplier goOn) {
		if (!records.tryLock()) {
			return 0;
		}
		try {
			long removed = 0;
			long from = 0;
			int last;
			do {
				// What was removed before is not read again: the database may have to
				// keep it for another transaction
				List<Long> oldest = records.oldestOlderThan(this.retention, from);
				if (oldest.isEmpty()) {
					return removed;
				}
				from = oldest.get(0);
				last = records.deleteOlderThan(this.retention, from, MOST);
				removed += last;
			}
			while (last == MOST && goOn.getAsBoolean());
			return removed;
		}
		finally {
			records.release();
		}
	}

}
