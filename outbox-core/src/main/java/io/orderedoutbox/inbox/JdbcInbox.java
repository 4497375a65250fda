/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

import javax.sql.DataSource;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.transaction.WorkInTransaction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.support.PersistenceExceptionTranslator;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.Assert;

/**
 * {@link Inbox} in a table.
 * <ol>
 * <li>Begin a transaction, or join the one that is open.</li>
 * <li>Insert the record. If another transaction is processing the same message, that
 * waits until the other one ends. If the record is there, the message is a duplicate, and
 * nothing else happens.</li>
 * <li>Do the work, in the same transaction.</li>
 * <li>Look for the record: it must be there, with the number that this processing has
 * drawn. If it is not, the database has rolled the transaction back while the work went
 * on, as it does to the victim of a deadlock whose exception the work has caught. A
 * record with another number is that of another transaction, which has processed the
 * message since then.</li>
 * <li>Commit. If the work has thrown, or has marked the transaction for rollback, roll
 * back: then there is no record.</li>
 * <li>If a deadlock, a lock timeout or a row that was changed after it was read has ended
 * a transaction that the inbox has begun, give way to the other one for a moment, and
 * begin again, three times at most. One that was committed is not begun again, whatever a
 * callback after the commit has thrown.</li>
 * </ol>
 */
public final class JdbcInbox implements Inbox {

	private static final Logger logger = LoggerFactory.getLogger(JdbcInbox.class);

	private static final Pattern CONSUMER = Pattern.compile("[A-Za-z0-9._-]{1,100}");

	private static final int MOST_BYTES = 255;

	private static final int MOST_ATTEMPTS = 3;

	private final DataSource dataSource;

	private final PlatformTransactionManager transactions;

	private final InboxRecords records;

	private final LockFailures lockFailures;

	/**
	 * Create an inbox.
	 * @param dataSource where its table is
	 * @param transactions begins transactions on that data source
	 * @param table the name of the table
	 * @param translator knows the exceptions of a persistence provider, as an
	 * {@code EntityManagerFactory} of Spring does; one that knows none may return
	 * {@code null}
	 */
	public JdbcInbox(DataSource dataSource, PlatformTransactionManager transactions, String table,
			PersistenceExceptionTranslator translator) {
		this.dataSource = target(dataSource);
		this.transactions = transactions;
		this.records = new InboxRecords(new JdbcTemplate(this.dataSource), table);
		this.lockFailures = new LockFailures(translator);
	}

	// Transaction managers bind the connection under the data source behind such a proxy
	private static DataSource target(DataSource dataSource) {
		DataSource target = (dataSource instanceof TransactionAwareDataSourceProxy proxy) ? proxy.getTargetDataSource()
				: null;
		return (target != null) ? target : dataSource;
	}

	@Override
	public <E extends Throwable> boolean process(String consumer, String messageId, Work<E> work) throws E {
		requireValid(consumer, messageId);
		boolean isOwn = !TransactionSynchronizationManager.isActualTransactionActive();
		for (int attempt = 1;; attempt++) {
			Ending ending = new Ending();
			try {
				return inTransaction(new InboxRecord(consumer, messageId), work, ending);
			}
			catch (Exception ex) {
				if (!isOwn || attempt == MOST_ATTEMPTS || ending.isCommitted || !this.lockFailures.contain(ex)) {
					throw ex;
				}
				logger.debug("Message '{}' is processed again after attempt {}", messageId, attempt, ex);
				giveWay(attempt);
			}
		}
	}

	// So that the transaction that waits for our rows gets them before us. PostgreSQL has
	// no queue for a row whose owner has rolled back: the two would meet again
	private static void giveWay(int attempt) {
		LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(attempt * ThreadLocalRandom.current().nextLong(20, 60)));
	}

	/**
	 * Check what {@link Inbox#process} is given. Another inbox that does the same, as
	 * that of tests, refuses what this one refuses.
	 * @param consumer the name of the consumer
	 * @param messageId the id of the message
	 * @throws IllegalArgumentException if one of them is not valid
	 */
	public static void requireValid(String consumer, String messageId) {
		requireConsumer(consumer);
		Assert.isTrue(!messageId.isEmpty() && messageId.getBytes(StandardCharsets.UTF_8).length <= MOST_BYTES,
				() -> "A message id must have 1 to %d bytes in UTF-8, but is '%s'".formatted(MOST_BYTES, messageId));
	}

	/**
	 * Check the name of a consumer.
	 * @throws IllegalArgumentException if it is not valid
	 */
	static void requireConsumer(String consumer) {
		Assert.isTrue(CONSUMER.matcher(consumer).matches(),
				() -> "The name of a consumer has 1 to 100 letters, digits, dots, hyphens and underscores, but is '%s'"
					.formatted(consumer));
	}

	private <E extends Throwable> boolean inTransaction(InboxRecord inboxRecord, Work<E> work, Ending ending) throws E {
		TransactionStatus transaction = this.transactions.getTransaction(TransactionDefinition.withDefaults());
		boolean isFirst;
		try {
			if (transaction.isNewTransaction() && TransactionSynchronizationManager.isSynchronizationActive()) {
				TransactionSynchronizationManager.registerSynchronization(ending);
			}
			requireSameDatabase();
			isFirst = this.records.insert(inboxRecord);
			if (isFirst) {
				work.run();
				requireSameTransaction(inboxRecord);
			}
		}
		catch (Throwable ex) {
			WorkInTransaction.rollBack(this.transactions, transaction, ex);
			throw ex;
		}
		commit(transaction, isFirst);
		return isFirst;
	}

	private void requireSameTransaction(InboxRecord inboxRecord) {
		if (!this.records.exists(inboxRecord)) {
			throw new CannotAcquireLockException(
					"The database has rolled the transaction back while message '%s' was processed, and the work has gone on: what it did before is lost, and what it has done since is rolled back. Let the exception of the failed statement end the work"
						.formatted(inboxRecord.messageId()));
		}
	}

	// A commit of such a transaction rolls back and says nothing
	private void commit(TransactionStatus transaction, boolean isFirst) {
		boolean isUndone = isFirst && transaction.isNewTransaction() && transaction.isRollbackOnly();
		this.transactions.commit(transaction);
		if (isUndone) {
			throw new UnexpectedRollbackException(
					"The work of the inbox has marked its transaction for rollback: the message was not processed");
		}
	}

	private void requireSameDatabase() {
		if (!TransactionSynchronizationManager.hasResource(this.dataSource)) {
			throw new OutboxConfigurationException(
					"The transaction manager of the inbox (%s) does not work on the DataSource of the inbox."
						.formatted(this.transactions.getClass().getName()),
					"Use a JdbcTransactionManager or JpaTransactionManager of that DataSource, and mark it as @Primary if there are several.");
		}
	}

	/**
	 * How a transaction has ended: a callback after the commit may fail as well.
	 */
	private static final class Ending implements TransactionSynchronization {

		private boolean isCommitted;

		@Override
		public void afterCompletion(int status) {
			this.isCommitted = status == STATUS_COMMITTED;
		}

	}

}
