package io.orderedoutbox.store;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Transactions at READ COMMITTED that have nothing to do with the one that the caller may
 * be in.
 * <p>
 * They are bound to the thread under a data source of their own. Under the original one a
 * JPA transaction leaves its connection without saying that it is in a transaction, and
 * PROPAGATION_REQUIRES_NEW would take that connection and commit it.
 */
final class OwnTransactions {

	// Longer than MySQL waits for a lock
	private static final Duration LONGEST_SILENCE = Duration.ofSeconds(60);

	private final OutboxDatabase database;

	private final DataSource dataSource;

	private final JdbcTemplate jdbc;

	OwnTransactions(OutboxDatabase database) {
		this.database = database;
		this.dataSource = new DelegatingDataSource(database.dataSource());
		this.jdbc = new JdbcTemplate(this.dataSource);
	}

	/**
	 * Do something, and commit it or undo it.
	 */
	<T> T run(boolean commit, Function<JdbcTemplate, T> work) {
		Dialect dialect = this.database.statements().dialect();
		TransactionTemplate transaction = new TransactionTemplate(new InSession(this.dataSource, dialect));
		return Objects.requireNonNull(transaction.execute((status) -> {
			if (!commit) {
				status.setRollbackOnly();
			}
			return work.apply(this.jdbc);
		}));
	}

	/**
	 * Read without locks.
	 */
	<T> T read(Function<JdbcTemplate, T> query) {
		return run(true, query);
	}

	/**
	 * Manages one transaction, in a session that begins when the transaction of the
	 * caller is out of sight: a data source may choose by it where a connection leads.
	 */
	private static final class InSession extends DataSourceTransactionManager {

		private static final long serialVersionUID = 1L;

		private final Dialect dialect;

		private transient @Nullable LimitedSession session;

		InSession(DataSource dataSource, Dialect dialect) {
			super(dataSource);
			this.dialect = dialect;
			setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
			LimitedSession begun = LimitedSession.open(obtainDataSource(), this.dialect, LONGEST_SILENCE);
			try {
				((JdbcTransactionObjectSupport) transaction).setConnectionHolder(begun.connection());
				super.doBegin(transaction, definition);
				this.session = begun;
			}
			catch (RuntimeException | Error ex) {
				begun.close();
				throw ex;
			}
		}

		@Override
		protected void doCleanupAfterCompletion(Object transaction) {
			try {
				super.doCleanupAfterCompletion(transaction);
			}
			finally {
				Objects.requireNonNull(this.session).close();
			}
		}

	}

}
