package io.orderedoutbox.jdbc.claim;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.orderedoutbox.jdbc.KeptSession;
import io.orderedoutbox.jdbc.LimitedSession;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.SessionIdentity;
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
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;

/**
 * A claim that is an open transaction in the session of the worker's thread. Its locks on
 * rows of {@code outbox_partition} are the ownership; they end with the transaction, and
 * with it the connection of a process that dies; of a host that vanishes, after the lock
 * timeout.
 * <ol>
 * <li>Lock the partitions and read from them.</li>
 * <li>Settle what became of messages, as often as there is something.</li>
 * <li>Commit, and move the cursors. Or be suspended, which gives the connection back, and
 * settle late what is confirmed after that.</li>
 * <li>Give the partitions back to the board.</li>
 * </ol>
 */
final class PartitionClaim implements Claim {

	private static final Logger logger = LoggerFactory.getLogger(PartitionClaim.class);

	private final OutboxDatabase database;

	private final ClaimStatements statements;

	private final JdbcTemplate jdbc;

	private final KeptSession kept;

	private LimitedSession session;

	private final PartitionBoard board;

	private TransactionStatus transaction;

	private final List<Integer> taken;

	private SessionIdentity identity = new SessionIdentity(0, "");

	private @Nullable StoreTime time;

	private List<OwnedPartition> owned = List.of();

	private List<KeySequence> sequences = List.of();

	private @Nullable ClaimCompletion completion;

	private boolean completed;

	private boolean closed;

	/**
	 * Begin a transaction.
	 * @param taken the partitions that the worker has taken from the board: the claim
	 * releases them when it is closed
	 */
	PartitionClaim(OutboxDatabase database, ClaimStatements statements, KeptSession kept, PartitionBoard board,
			List<Integer> taken) {
		this.database = database;
		this.statements = statements;
		this.jdbc = database.jdbc();
		this.kept = kept;
		this.session = kept.current();
		this.board = board;
		this.taken = new ArrayList<>(taken);
		this.transaction = this.session.transactions().getTransaction(TransactionDefinition.withDefaults());
	}

	/**
	 * Lock those of the partitions that no other claim owns, read from them, and give the
	 * others back.
	 */
	void read(List<PartitionCursor> cursors, BatchReader reader) {
		List<OwnedPartition> locked = lock(cursors);
		List<Integer> ids = locked.stream().map(OwnedPartition::id).toList();
		for (int contested : this.taken.stream().filter((id) -> !ids.contains(id)).toList()) {
			this.taken.remove((Integer) contested);
			this.board.contested(contested);
		}
		if (!locked.isEmpty()) {
			this.session.require(this.identity);
			this.sequences = reader.read(locked, this.identity.server());
			this.owned = locked;
		}
	}

	private List<OwnedPartition> lock(List<PartitionCursor> cursors) {
		try {
			return this.jdbc.query(this.statements.lock, (rs, index) -> {
				if (rs.getBoolean("read_only")) {
					// What is sent could not be removed, and would be sent again and
					// again
					throw new TransientDataAccessResourceException(
							"The database is read-only: a replica, or no longer the primary");
				}
				this.identity = new SessionIdentity(rs.getLong("connection"), rs.getString("server"));
				this.time = new StoreTime(Instant.EPOCH.plus(rs.getLong("store_time"), ChronoUnit.MICROS),
						System.nanoTime());
				int id = rs.getInt("id");
				return new OwnedPartition(id, cursors.get(id), rs.getBoolean("parked"), rs.getBoolean("due"));
			}, this.taken.toString());
		}
		catch (BadSqlGrammarException ex) {
			String which = this.database.isArchiving()
					? "The archive is enabled, and its table or another table of the outbox is missing or not as it should be:"
							+ " create it, or set outbox.archive.enabled=false if it is the archive: "
					: "The tables of the outbox are missing or not as they should be: ";
			throw new InvalidDataAccessResourceUsageException(which + ex.getMostSpecificCause().getMessage(), ex);
		}
	}

	/**
	 * Whether it has locked a partition.
	 */
	boolean ownsAny() {
		return !this.owned.isEmpty();
	}

	@Override
	public List<KeySequence> sequences() {
		return this.sequences;
	}

	@Override
	public boolean moreIsWaiting() {
		return this.board.hasMore();
	}

	@Override
	public boolean renew() {
		try {
			// A driver told to reconnect would answer on a connection that has no locks
			return connectionId() == this.identity.connectionId();
		}
		catch (DataAccessException ex) {
			logger.debug("A claim was lost", ex);
			return false;
		}
	}

	private long connectionId() {
		return Objects.requireNonNull(this.jdbc.queryForObject("SELECT CONNECTION_ID()", Long.class));
	}

	@Override
	public @Nullable StoreTime time() {
		return this.time;
	}

	@Override
	public void settle(Collection<Long> published, Collection<FailedMessage> failed) {
		if (completion().isOneStatement(failed)) {
			completion().write(published, failed);
			return;
		}
		this.jdbc.execute("SAVEPOINT outbox_claim");
		try {
			completion().write(published, failed);
		}
		catch (RuntimeException | Error ex) {
			undo(ex);
			throw ex;
		}
	}

	private void undo(Throwable failure) {
		try {
			this.jdbc.execute("ROLLBACK TO SAVEPOINT outbox_claim");
		}
		catch (DataAccessException ex) {
			failure.addSuppressed(ex);
		}
	}

	private ClaimCompletion completion() {
		ClaimCompletion known = this.completion;
		if (known == null) {
			known = new ClaimCompletion(this.database, this.statements, this.owned);
			this.completion = known;
		}
		return known;
	}

	@Override
	public void commit() {
		completion().finish();
		commitTransaction();
		completion().moveCursors(this.identity.server());
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
	}

	@Override
	public void settleLate(Collection<Long> published) {
		this.session = this.kept.current();
		this.transaction = this.session.transactions().getTransaction(TransactionDefinition.withDefaults());
		Set<Integer> again = new HashSet<>(this.jdbc.query(this.statements.lock, (rs, index) -> rs.getInt("id"),
				this.owned.stream().map(OwnedPartition::id).toList().toString()));
		List<Long> late = this.owned.stream()
			.filter((partition) -> again.contains(partition.id()))
			.flatMap((partition) -> partition.sequences().stream())
			.flatMap((sequence) -> sequence.rows().stream())
			.map(ClaimedRow::id)
			.filter(Set.copyOf(published)::contains)
			.toList();
		completion().writeLate(late);
		commitTransaction();
		completion().moveCursorsLate(this.identity.server(), late);
	}

	@Override
	public void close() {
		if (this.closed) {
			return;
		}
		this.closed = true;
		try {
			if (isOver()) {
				this.kept.pause();
			}
			else {
				this.kept.end();
			}
		}
		finally {
			release();
		}
	}

	private boolean isOver() {
		if (this.transaction.isCompleted()) {
			return this.completed;
		}
		try {
			this.session.transactions().rollback(this.transaction);
			return true;
		}
		catch (RuntimeException ex) {
			logger.debug("A claim could not be rolled back: the database does it when the connection is gone", ex);
			return false;
		}
	}

	// What a claim that has failed has not read may hold anything
	private void release() {
		for (OwnedPartition partition : this.owned) {
			this.taken.remove((Integer) partition.id());
			this.board.release(partition.id(),
					!this.completed || partition.hasMore() || partition.cursor().hasWaiting());
		}
		this.taken.forEach((id) -> this.board.release(id, true));
	}

}
