/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.orderedoutbox.jdbc.KeptSession;
import io.orderedoutbox.jdbc.connection.LimitedSession;
import io.orderedoutbox.jdbc.dialect.RaisedError;
import io.orderedoutbox.jdbc.connection.SessionIdentity;
import io.orderedoutbox.jdbc.dialect.UndoneStatement;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.StoreTime;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;

/**
 * A claim that is an open transaction in the session of the worker's thread. Its locks on
 * rows of {@code outbox_partition} are the ownership; they end with the transaction, and
 * with it the connection of a process that dies; of a host that vanishes, after the lock
 * timeout.
 * <ol>
 * <li>Lock the partitions and read from them.</li>
 * <li>Rehearse, where the relay is in doubt: settle as below, and undo it.</li>
 * <li>Settle what became of messages, as often as there is something. If the database
 * refuses that, it may have undone the statement, or the transaction: then the claim is
 * lost.</li>
 * <li>Commit, and move the cursors. Or be suspended, which gives the connection back, and
 * settle late what is confirmed after that: only where the partition can be locked again,
 * and only on the same server, because on another one a position may be that of another
 * message. So is settled what was published if the commit was refused.</li>
 * <li>Give the partitions back to the board.</li>
 * </ol>
 */
final class PartitionClaim implements Claim {

	private static final Logger logger = LoggerFactory.getLogger(PartitionClaim.class);

	private final JdbcRelayStore store;

	private final PartitionBoard board;

	// All statements go through the session that the thread has entered
	private final JdbcTemplate jdbc;

	private final KeptSession kept;

	private final List<Integer> taken;

	private LimitedSession session;

	private TransactionStatus transaction;

	private SessionIdentity identity = new SessionIdentity(0, "");

	private @Nullable StoreTime time;

	private List<OwnedPartition> owned = List.of();

	private List<KeySequence> sequences = List.of();

	private ClaimCompletion completion;

	private final Set<Long> held = new HashSet<>();

	private boolean lost;

	private boolean completed;

	private boolean closed;

	/**
	 * Begin a transaction.
	 * @param taken the partitions that the worker has taken from the board: the claim
	 * releases them when it is closed, or if it cannot begin
	 */
	PartitionClaim(JdbcRelayStore store, KeptSession kept, List<Integer> taken) {
		this.store = store;
		this.board = store.board();
		this.jdbc = store.database().jdbc();
		this.kept = kept;
		this.taken = new ArrayList<>(taken);
		try {
			this.session = kept.current();
			this.transaction = begin();
			this.completion = completion();
		}
		catch (RuntimeException | Error ex) {
			release();
			throw ex;
		}
	}

	private ClaimCompletion completion() {
		return new ClaimCompletion(this.store.database(), this.store.statements(), this.store.settings(), this.owned,
				this.held);
	}

	private TransactionStatus begin() {
		return this.session.transactions().getTransaction(TransactionDefinition.withDefaults());
	}

	/**
	 * Lock those of the partitions that no other claim owns, and read from them. If there
	 * is nothing to send, commit: rows of parked keys move, and the cursors do, too.
	 * @return whether there is something to send
	 */
	boolean read() {
		List<OwnedPartition> locked = lock(this.taken, (rs, index) -> new OwnedPartition(rs.getInt("id"),
				this.board.cursor(rs.getInt("id")), rs.getBoolean("parked"), rs.getBoolean("due")));
		List<Integer> ids = locked.stream().map(OwnedPartition::id).toList();
		for (int contested : this.taken.stream().filter((id) -> !ids.contains(id)).toList()) {
			this.taken.remove((Integer) contested);
			this.board.contested(contested);
		}
		if (locked.isEmpty()) {
			return false;
		}
		this.sequences = new BatchReader(this.store, locked).read(this.identity.server());
		this.owned = locked;
		this.completion = completion();
		if (this.sequences.isEmpty()) {
			// The relay rehearses only what it sends: here locked rows are put aside
			locked();
			commit();
		}
		return !this.sequences.isEmpty();
	}

	private <T> List<T> lock(Collection<Integer> ids, RowMapper<T> mapper) {
		try {
			List<T> locked = this.jdbc.query(this.store.statements().lock, (rs, index) -> {
				if (rs.getBoolean("read_only")) {
					// What is sent could not be removed, and would be sent again and
					// again
					throw new TransientDataAccessResourceException(
							"The database is read-only: a replica, or no longer the primary");
				}
				this.identity = new SessionIdentity(rs.getLong("connection"), rs.getString("server"));
				this.time = new StoreTime(Instant.EPOCH.plus(rs.getLong("store_time"), ChronoUnit.MICROS),
						System.nanoTime());
				return mapper.mapRow(rs, index);
			}, ids.toString());
			if (!locked.isEmpty()) {
				this.session.require(this.identity);
			}
			return locked;
		}
		catch (BadSqlGrammarException ex) {
			String which = this.store.database().isArchiving()
					? "The archive is enabled, and its table or another table of the outbox is missing or not as it should be:"
							+ " create it, or set outbox.archive.enabled=false if it is the archive: "
					: "The tables of the outbox are missing or not as they should be: ";
			throw new InvalidDataAccessResourceUsageException(which + ex.getMostSpecificCause().getMessage(), ex);
		}
	}

	@Override
	public List<KeySequence> sequences() {
		return this.sequences;
	}

	@Override
	public Set<Integer> partitions() {
		return this.owned.stream().map(OwnedPartition::id).collect(Collectors.toSet());
	}

	@Override
	public boolean moreIsWaiting() {
		return this.board.hasMore();
	}

	@Override
	public boolean renew() {
		try {
			// A driver told to reconnect would answer on a connection that has no locks
			Long connection = this.jdbc.queryForObject(this.store.statements().connection, Long.class);
			this.lost |= connection == null || connection != this.identity.connectionId();
		}
		catch (DataAccessException ex) {
			logger.debug("A claim was lost", ex);
			this.lost = true;
		}
		return !this.lost;
	}

	@Override
	public @Nullable StoreTime time() {
		return this.time;
	}

	@Override
	public void settle(Collection<Long> published, Collection<FailedMessage> failed) {
		boolean isOneStatement = this.completion.isOneStatement(failed);
		if (!isOneStatement) {
			this.jdbc.execute("SAVEPOINT outbox_claim");
		}
		try {
			this.completion.write(published, failed);
		}
		catch (RuntimeException | Error ex) {
			if (isOneStatement) {
				this.lost |= !this.session.hasTransaction();
			}
			else {
				undo("outbox_claim");
			}
			if (ex instanceof DataAccessException refusal) {
				throw RaisedError.translated(refusal);
			}
			throw ex;
		}
	}

	// If its savepoint is gone, the database has undone the transaction with its locks
	private void undo(String savepoint) {
		try {
			this.jdbc.execute("ROLLBACK TO SAVEPOINT " + savepoint);
		}
		catch (DataAccessException ex) {
			logger.debug("The transaction of a claim was lost", ex);
			this.lost = true;
		}
	}

	@Override
	public Set<Long> locked() {
		this.held.addAll(this.completion.locked());
		return this.held;
	}

	@Override
	public boolean rehearse(Runnable settlement) {
		this.jdbc.execute("SAVEPOINT outbox_rehearsal");
		try {
			settlement.run();
			this.completion.finish();
		}
		finally {
			undo("outbox_rehearsal");
			this.completion = completion();
		}
		return true;
	}

	@Override
	public void commit() {
		if (this.lost) {
			throw new TransientDataAccessResourceException("The database has undone the transaction of the claim");
		}
		this.completion.finish();
		commitTransaction();
		this.completion.moveCursors(this.identity.server());
		this.completed = true;
	}

	private void commitTransaction() {
		try {
			this.session.transactions().commit(this.transaction);
		}
		finally {
			this.session.leave();
		}
	}

	@Override
	public void suspend() {
		commit();
		this.kept.end();
		releaseDone();
	}

	// What is written to them meanwhile need not wait for the broker's answer to others
	private void releaseDone() {
		List<OwnedPartition> done = this.owned.stream().filter(this.completion::isDone).toList();
		this.owned = this.owned.stream().filter((partition) -> !done.contains(partition)).toList();
		done.forEach((partition) -> {
			this.taken.remove((Integer) partition.id());
			this.board.release(partition.id(), partition.hasMore());
		});
	}

	@Override
	public void settleLate(Collection<Long> published, Collection<FailedMessage> failed) {
		String server = this.identity.server();
		this.completed = false;
		if (!this.transaction.isCompleted()) {
			this.session.transactions().rollback(this.transaction);
			this.completion = completion();
			// What has failed is not parked
			this.owned.forEach(OwnedPartition::noteMoreIsDue);
		}
		this.session = this.kept.current();
		this.transaction = begin();
		Set<Integer> again = new HashSet<>(lock(partitions(), (rs, index) -> rs.getInt("id")));
		if (server.equals(this.identity.server())) {
			new UndoneStatement(this.jdbc, this.store.database().dialect())
				.tryTo(() -> this.completion.writeLate(again, published, failed));
		}
		commitTransaction();
		this.kept.end();
		this.completed = true;
	}

	@Override
	public void close() {
		if (this.closed) {
			return;
		}
		this.closed = true;
		try {
			if (endTransaction()) {
				this.kept.pause();
			}
			else {
				this.board.restart();
				this.kept.end();
			}
		}
		finally {
			release();
		}
	}

	// Rolls back what was not committed, and says whether the session can go on
	private boolean endTransaction() {
		if (this.transaction.isCompleted()) {
			return this.completed;
		}
		try {
			this.session.transactions().rollback(this.transaction);
			return !this.lost;
		}
		catch (RuntimeException ex) {
			logger.debug("A claim could not be rolled back: the database does it when the connection is gone", ex);
			return false;
		}
	}

	// Partitions that were not read may have something
	private void release() {
		for (OwnedPartition partition : this.owned) {
			this.taken.remove((Integer) partition.id());
			if (this.completion.isHeld(partition)) {
				this.board.contested(partition.id());
			}
			else {
				this.board.release(partition.id(), !this.completed || partition.hasMore());
			}
		}
		this.taken.forEach((id) -> this.board.release(id, true));
	}

}
