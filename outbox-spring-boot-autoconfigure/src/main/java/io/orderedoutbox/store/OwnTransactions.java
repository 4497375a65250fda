package io.orderedoutbox.store;

import java.util.Objects;
import java.util.function.Function;

import javax.sql.DataSource;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
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

	// A host that vanishes in the middle would keep its locks for hours
	private static final String LIMIT_SILENCE = """
			SET @outbox_wait_timeout = @@SESSION.wait_timeout, SESSION wait_timeout = 30""";

	private static final String ALLOW_SILENCE = "SET SESSION wait_timeout = @outbox_wait_timeout";

	private final JdbcTemplate jdbc;

	private final TransactionTemplate template;

	OwnTransactions(DataSource dataSource) {
		DataSource apart = new DelegatingDataSource(dataSource);
		this.jdbc = new JdbcTemplate(apart);
		JdbcTransactionManager transactions = new JdbcTransactionManager(apart);
		transactions.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
		this.template = new TransactionTemplate(transactions);
		this.template.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
	}

	/**
	 * Read without locks.
	 */
	<T> T read(Function<JdbcTemplate, T> query) {
		return Objects.requireNonNull(this.template.execute((status) -> query.apply(this.jdbc)));
	}

	/**
	 * Do something that locks, and commit it or undo it.
	 */
	<T> T lock(boolean commit, Function<JdbcTemplate, T> work) {
		return Objects.requireNonNull(this.template.execute((status) -> {
			if (!commit) {
				status.setRollbackOnly();
			}
			return withoutSilence(work);
		}));
	}

	private <T> T withoutSilence(Function<JdbcTemplate, T> work) {
		this.jdbc.update(LIMIT_SILENCE);
		T result;
		try {
			result = work.apply(this.jdbc);
		}
		catch (RuntimeException | Error ex) {
			try {
				this.jdbc.update(ALLOW_SILENCE);
			}
			catch (DataAccessException lost) {
				ex.addSuppressed(lost);
			}
			throw ex;
		}
		this.jdbc.update(ALLOW_SILENCE);
		return result;
	}

}
