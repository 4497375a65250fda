package io.orderedoutbox.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionStatus;

/**
 * A claim that is an open transaction in the session of the worker's thread. Its row
 * locks are the ownership; they end with the transaction, and with it the connection of a
 * process that dies; of a host that vanishes, after the lock timeout.
 */
final class JdbcClaim implements Claim {

	private static final Logger logger = LoggerFactory.getLogger(JdbcClaim.class);

	private final OutboxStatements statements;

	private final JdbcTemplate jdbc;

	private final LimitedSession session;

	private final TransactionStatus transaction;

	private ClaimIdentity identity = ClaimIdentity.UNKNOWN;

	private final ClaimedRows rows;

	private Runnable whenOver = () -> {
	};

	private Function<Collection<Long>, @Nullable Runnable> whenPreparing = (published) -> null;

	private BiConsumer<Collection<Long>, Collection<FailedMessage>> whenCompleted = (published, failed) -> {
	};

	private List<Run> runs = List.of();

	private boolean moreIsWaiting;

	private boolean completed;

	private boolean closed;

	private JdbcClaim(OutboxDatabase database, LimitedSession session) {
		this.statements = database.statements();
		this.jdbc = database.jdbc();
		this.rows = new ClaimedRows(this.jdbc, this.statements);
		this.session = session;
		this.transaction = session.transactions().getTransaction(TransactionDefinition.withDefaults());
	}

	static JdbcClaim begin(OutboxDatabase database, LimitedSession session) {
		JdbcClaim claim = new JdbcClaim(database, session);
		try {
			claim.identify();
			return claim;
		}
		catch (BadSqlGrammarException ex) {
			claim.close();
			throw new InvalidDataAccessResourceUsageException(
					"The archive is enabled, but its table is missing or not as it should be: create it, or set outbox.archive.enabled=false: "
							+ ex.getMostSpecificCause().getMessage(),
					ex);
		}
		catch (RuntimeException | Error ex) {
			claim.close();
			throw ex;
		}
	}

	private void identify() {
		this.identity = Objects
			.requireNonNull(this.jdbc.queryForObject(this.statements.identify, ClaimIdentity.MAPPER));
		this.session.require(this.identity);
	}

	ClaimedRows rows() {
		return this.rows;
	}

	/**
	 * Take these runs, and read what has not been read of them.
	 */
	void take(List<Candidate> candidates, boolean moreIsWaiting) {
		this.rows.load(candidates);
		List<Run> loaded = new ArrayList<>(candidates.size());
		for (Candidate run : candidates) {
			List<StoredMessage> content = this.rows.content(run);
			if (!content.isEmpty()) {
				loaded.add(new Run(content));
			}
		}
		this.runs = loaded;
		this.moreIsWaiting = moreIsWaiting;
	}

	@Override
	public List<Run> runs() {
		return this.runs;
	}

	@Override
	public boolean moreIsWaiting() {
		return this.moreIsWaiting;
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

	@Override
	public @Nullable StoreTime time() {
		return this.identity.time();
	}

	@Override
	public @Nullable Runnable preparation(Collection<Long> published) {
		return this.whenPreparing.apply(published);
	}

	@Override
	public void complete(Collection<Long> published, Collection<FailedMessage> failed) {
		new Settlement(this.jdbc, this.statements, this.rows.failedBefore()).write(published, failed);
		try {
			this.session.transactions().commit(this.transaction);
		}
		finally {
			this.session.leave();
		}
		this.completed = true;
		this.whenCompleted.accept(published, failed);
	}

	/**
	 * The server that has the locks.
	 */
	String server() {
		return this.identity.server();
	}

	boolean isCompleted() {
		return this.completed;
	}

	/**
	 * Whether there was something in it that has not been completed.
	 */
	boolean isGivenUp() {
		return !this.completed && !this.runs.isEmpty();
	}

	/**
	 * Have what can be done while it is completed made of the messages that will be gone.
	 */
	void whenPreparing(Function<Collection<Long>, @Nullable Runnable> work) {
		this.whenPreparing = work;
	}

	/**
	 * Have something done with the messages that are gone, and those that have failed.
	 */
	void whenCompleted(BiConsumer<Collection<Long>, Collection<FailedMessage>> work) {
		this.whenCompleted = work;
	}

	/**
	 * Have something done when the locks are gone.
	 */
	void whenOver(Runnable work) {
		this.whenOver = work;
	}

	@Override
	public void close() {
		if (this.closed) {
			return;
		}
		this.closed = true;
		try {
			if (!this.transaction.isCompleted()) {
				rollBack();
			}
		}
		finally {
			this.whenOver.run();
		}
	}

	private void rollBack() {
		try {
			this.session.transactions().rollback(this.transaction);
		}
		catch (TransactionException ex) {
			logger.debug("A claim could not be rolled back: the database does it when the connection is gone", ex);
		}
	}

	private long connectionId() {
		return Objects.requireNonNull(this.jdbc.queryForObject("SELECT CONNECTION_ID()", Long.class));
	}

}
