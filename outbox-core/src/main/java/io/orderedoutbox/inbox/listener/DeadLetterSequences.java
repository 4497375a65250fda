/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.inbox.InboxCheck;
import io.orderedoutbox.inbox.InboxSql;
import io.orderedoutbox.inbox.ParkingTime;
import io.orderedoutbox.transaction.WorkInTransaction;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.util.function.SingletonSupplier;

/**
 * The table of dead letters that others follow: which ones there are of each partition,
 * or partition key, in their order. The messages themselves are in the queue of dead
 * letters.
 * <p>
 * A key is parked while it has a row here. A row is stored before its message goes to the
 * queue, and removed after the message was processed.
 * <p>
 * All statements are in transactions: a pool may give out connections that do not commit
 * by themselves.
 */
public final class DeadLetterSequences {

	private final JdbcTemplate jdbc;

	private final PlatformTransactionManager transactions;

	private final DefaultTransactionDefinition definition = new DefaultTransactionDefinition();

	private final String table;

	private final Supplier<InboxSql> sql;

	/**
	 * Create it. Nothing connects before the first statement is needed.
	 * @param dataSource where the table is
	 * @param table the name of the table
	 */
	public DeadLetterSequences(DataSource dataSource, String table) {
		this.jdbc = new JdbcTemplate(dataSource);
		// Not JdbcTransactionManager: it logs as an error that what a commit
		// has lost cannot be rolled back
		this.transactions = new DataSourceTransactionManager(dataSource);
		// Without gap locks: two keys do not wait for each other
		this.definition.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
		this.table = table;
		this.sql = SingletonSupplier.of(() -> InboxSql.of(this.jdbc));
	}

	private String text() {
		return this.sql.get().text();
	}

	private String encode(String text) {
		return this.sql.get().encode(text);
	}

	private String ofKey() {
		return "shards = %1$s AND ordering_key = %1$s".formatted(text());
	}

	/**
	 * Check that the table is there. A database that cannot be reached is not checked.
	 * @throws OutboxConfigurationException if the table is missing
	 */
	public void check() {
		try {
			this.jdbc.query("SELECT position, shards, ordering_key, message_id, created_at FROM %s LIMIT 0"
				.formatted(this.table), (row) -> {
				});
		}
		catch (DataAccessResourceFailureException ex) {
			// The check of the inbox tells of it
			return;
		}
		catch (DataAccessException ex) {
			throw new OutboxConfigurationException(
					"The table of dead letters, '%s', is missing or not as it should be: %s.".formatted(this.table,
							ex.getMostSpecificCause().getMessage()),
					InboxCheck.REMEDY + InboxCheck.RIGHTS, ex);
		}
	}

	/** Return the keys that are parked now. */
	Set<String> keys(String shards) {
		List<String> keys = list("SELECT DISTINCT %s FROM %s WHERE shards = %s"
			.formatted(this.sql.get().encoded("ordering_key"), this.table, text()), encode(shards));
		Set<String> decoded = ConcurrentHashMap.newKeySet();
		keys.forEach((key) -> decoded.add(this.sql.get().decode(key)));
		return decoded;
	}

	/** Store a dead letter, unless it is there. */
	void add(String shards, String key, String messageId) {
		InboxSql sql = this.sql.get();
		String statement = sql.add(this.table, "shards, ordering_key, message_id, created_at",
				"%1$s, %1$s, %1$s, %2$s".formatted(sql.text(), sql.now()), "created_at");
		inTransaction(() -> {
			try {
				return this.jdbc.update(statement, encode(shards), encode(key), encode(messageId));
			}
			catch (DuplicateKeyException ex) {
				// It is there
				return 0;
			}
		});
	}

	/**
	 * Store a dead letter behind those of its key, if there are any: either the last of
	 * them is not yet removed, or all of them have been processed.
	 * @return whether there are any
	 */
	boolean addBehind(String shards, String key, String messageId) {
		return inTransaction(() -> {
			if (!lockOne(shards, key)) {
				return false;
			}
			add(shards, key, messageId);
			return true;
		});
	}

	// PostgreSQL passes over a row that was removed while it waited for it, and does not
	// see those stored behind it meanwhile: that there is none says only a statement that
	// has waited for nothing
	private boolean lockOne(String shards, String key) {
		String any = "SELECT position FROM %s WHERE %s LIMIT 1".formatted(this.table, ofKey());
		while (list(any + " FOR UPDATE", encode(shards), encode(key)).isEmpty()) {
			if (list(any, encode(shards), encode(key)).isEmpty()) {
				return false;
			}
		}
		return true;
	}

	/** Return the first dead letter of a key, null if it has none. */
	@Nullable String first(String shards, String key) {
		List<String> ids = list("SELECT %s FROM %s WHERE %s ORDER BY position LIMIT 1"
			.formatted(this.sql.get().encoded("message_id"), this.table, ofKey()), encode(shards), encode(key));
		return ids.isEmpty() ? null : this.sql.get().decode(ids.get(0));
	}

	/** Return whether a dead letter is there. */
	boolean contains(String shards, String key, String messageId) {
		return !list("SELECT position FROM %s WHERE %s AND message_id = %s".formatted(this.table, ofKey(), text()),
				encode(shards), encode(key), encode(messageId))
			.isEmpty();
	}

	void remove(String shards, String key, String messageId) {
		update("DELETE FROM %s WHERE %s AND message_id = %s".formatted(this.table, ofKey(), text()), encode(shards),
				encode(key), encode(messageId));
	}

	/**
	 * Remove a dead letter, whatever its key is.
	 * @return how many there were
	 */
	int discard(String shards, String messageId) {
		return update("DELETE FROM %s WHERE shards = %s AND message_id = %s".formatted(this.table, text(), text()),
				encode(shards), encode(messageId));
	}

	private List<String> list(String query, Object... arguments) {
		return inTransaction(() -> this.jdbc.queryForList(query, String.class, arguments));
	}

	private int update(String statement, Object... arguments) {
		return inTransaction(() -> this.jdbc.update(statement, arguments));
	}

	private <T> T inTransaction(Supplier<T> work) {
		return WorkInTransaction.of(this.transactions, this.definition, (status) -> work.get());
	}

	/** Count the dead letters of some shards. */
	SequenceFigures figures(String shards) {
		return figures(shards, ParkingTime.ANY);
	}

	/** Count those whose keys were parked in a range of time. */
	SequenceFigures figures(String shards, ParkingTime time) {
		return inTransaction(
				() -> new SequenceFigures.Query(this.jdbc, this.sql.get(), this.table).figures(shards, time));
	}

}
