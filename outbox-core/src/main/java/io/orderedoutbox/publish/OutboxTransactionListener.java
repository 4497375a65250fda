/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.OutboxStoreException;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.OutboxStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.NamedThreadLocal;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * Follows every transaction on the outbox's {@link DataSource} and writes its messages
 * just before it commits.
 * <ol>
 * <li>After begin: bind an empty buffer to the transaction, if it was this begin that
 * opened a connection of our data source, and of our shard where that leads to several.
 * The store may mark the place.</li>
 * <li>Before commit, of the outermost transaction only: flush the persistence context if
 * there are messages, so that the business rows are locked before our stripes and not
 * after, unless the application flushes it by hand only; append the messages. At this
 * point all callbacks of Spring that run before a commit have run, so that what they
 * published is here too. Nothing is written that can only be rolled back.</li>
 * <li>Within the commit Hibernate flushes once more, and for the first time if there were
 * no messages. What its entity listeners publish is appended when it has done so. Without
 * Hibernate the second step closes the buffer.</li>
 * <li>After commit: wake the relay.</li>
 * </ol>
 * Any failure in these steps rolls the transaction back. A {@link TransactionException}
 * would not: a transaction manager that sees one at this point believes that the commit
 * itself failed and lets the connection commit. It is therefore never let through. One
 * that a callback before the commit throws does not pass here; a transaction that has
 * messages and ends without step two is rolled back when it completes.
 */
public final class OutboxTransactionListener implements TransactionExecutionListener {

	private static final Logger logger = LoggerFactory.getLogger(OutboxTransactionListener.class);

	private static final boolean HIBERNATE = Stream
		.of("org.hibernate.engine.spi.SessionImplementor", "org.springframework.orm.jpa.EntityManagerHolder")
		.allMatch((type) -> ClassUtils.isPresent(type, OutboxTransactionListener.class.getClassLoader()));

	// Where an application may be reactive: no thread is in a transaction of that kind
	private static final String NOT_REACTIVE = ClassUtils
		.isPresent("reactor.core.publisher.Mono", OutboxTransactionListener.class.getClassLoader())
				? ". A reactive transaction is none that the outbox can join: publish in one of a JdbcTransactionManager or JpaTransactionManager, on a thread that may wait, such as one of Schedulers.boundedElastic()"
				: "";

	private final Object key = new Object();

	@SuppressWarnings("ThreadLocalUsage") // a transaction can span two outboxes
	private final ThreadLocal<@Nullable Object> connectionBeforeBegin = new NamedThreadLocal<>(
			"Connection before begin");

	private final DataSource dataSource;

	private final OutboxStore store;

	private final Consumer<Set<Integer>> relay;

	private final OutboxTransactions transactions;

	/**
	 * Create a listener for the only outbox of an application.
	 * @param dataSource the data source under which transactions bind the outbox's
	 * connection
	 * @param store where messages are written
	 * @param relay is told, after a commit that wrote messages, of the partitions in
	 * which they are
	 */
	public OutboxTransactionListener(DataSource dataSource, OutboxStore store, Consumer<Set<Integer>> relay) {
		this(dataSource, store, relay, OutboxTransactions.ALL);
	}

	/**
	 * Create a listener for one of several outboxes.
	 * @param dataSource the data source under which transactions bind the outbox's
	 * connection
	 * @param store where messages are written
	 * @param relay is told, after a commit that wrote messages, of the partitions in
	 * which they are
	 * @param transactions which of the transactions on the data source are those of the
	 * outbox
	 */
	public OutboxTransactionListener(DataSource dataSource, OutboxStore store, Consumer<Set<Integer>> relay,
			OutboxTransactions transactions) {
		this.dataSource = dataSource;
		this.store = store;
		this.relay = relay;
		this.transactions = transactions;
	}

	/**
	 * Let a listener follow all transactions of a transaction manager, if it does not do
	 * so already. Not to be called while there are transactions.
	 * @param listener the listener
	 * @param manager the transaction manager
	 */
	public static void register(TransactionExecutionListener listener, ConfigurableTransactionManager manager) {
		synchronized (manager) {
			Collection<TransactionExecutionListener> present = manager.getTransactionExecutionListeners();
			if (!present.contains(listener)) {
				// A copy: the collection that the application has set may not be
				// modifiable
				Collection<TransactionExecutionListener> all = new ArrayList<>(present);
				all.add(listener);
				manager.setTransactionExecutionListeners(all);
			}
		}
	}

	/**
	 * Let a listener follow no further transaction of a transaction manager.
	 * @param listener the listener
	 * @param manager the transaction manager
	 */
	public static void unregister(TransactionExecutionListener listener, ConfigurableTransactionManager manager) {
		synchronized (manager) {
			// A copy: other threads may have transactions
			Collection<TransactionExecutionListener> others = new ArrayList<>(
					manager.getTransactionExecutionListeners());
			others.remove(listener);
			manager.setTransactionExecutionListeners(others);
		}
	}

	/**
	 * Return whether the calling thread is in a transaction that the outbox can join.
	 * @return whether it is, also if that transaction is read-only, or has ended and its
	 * callbacks run
	 */
	public boolean isInTransaction() {
		return current() != null;
	}

	/**
	 * Return what the current transaction of the calling thread has published and has not
	 * written yet: it writes that just before its commit, if it comes to that.
	 * @return the messages in the order of their publication, nothing if there is no
	 * transaction
	 */
	public List<Message> pending() {
		OutboxTransaction transaction = current();
		return (transaction != null) ? List.copyOf(transaction.messages()) : List.of();
	}

	/**
	 * Return the current transaction.
	 * @throws OutboxPublicationException if there is none that can store a message
	 */
	OutboxTransaction require(Class<?> eventType) {
		if (!TransactionSynchronizationManager.isActualTransactionActive()) {
			throw new OutboxPublicationException(
					"Event %s was published without a transaction: annotate the calling method with @Transactional, and call it on another bean, because a call within a bean passes by its proxy%s"
						.formatted(eventType.getName(), NOT_REACTIVE));
		}
		OutboxTransaction transaction = current();
		if (transaction == null) {
			throw new OutboxPublicationException(
					"Event %1$s was published in a transaction that %2$s cannot join: use a transaction manager that is a bean and works on the DataSource of %2$s (JdbcTransactionManager or JpaTransactionManager, not JTA). While the application starts, one that has begun before %2$s was made cannot be joined either"
						.formatted(eventType.getName(), this.transactions.outbox()));
		}
		transaction.requireWritable(eventType);
		return transaction;
	}

	@Override
	public void beforeBegin(TransactionExecution execution) {
		this.connectionBeforeBegin.set(connection());
	}

	@Override
	public void afterBegin(TransactionExecution execution, @Nullable Throwable failure) {
		Object before = this.connectionBeforeBegin.get();
		this.connectionBeforeBegin.remove();
		Object connection = connection();
		if (failure == null && connection != null && connection != before && execution.isNewTransaction()
				&& TransactionSynchronizationManager.isSynchronizationActive() && isOurs(connection)) {
			TransactionSynchronizationManager.unbindResourceIfPossible(this.key);
			OutboxTransaction transaction = new OutboxTransaction(this.key, execution, this.store, this::rollBack,
					this::wakeRelay);
			TransactionSynchronizationManager.bindResource(this.key, transaction);
			TransactionSynchronizationManager.registerSynchronization(transaction);
			transaction.begin();
		}
	}

	// What escapes here would leave the transaction bound to the thread, and the next one
	// would join it and commit nothing
	private boolean isOurs(Object connection) {
		try {
			return !this.transactions.areOfShard() || (connection instanceof ConnectionHolder holder
					&& this.transactions.contain(holder.getConnection()));
		}
		catch (RuntimeException ex) {
			logger.debug("A connection does not tell whose it is: its transaction is taken for none of {}",
					this.transactions.outbox(), ex);
			return false;
		}
	}

	@Override
	public void beforeCommit(TransactionExecution execution) {
		OutboxTransaction transaction = current();
		if (transaction == null || !transaction.belongsTo(execution)) {
			return;
		}
		// It would wait for stripes in vain, or hide by a failure of its own why it is
		// rolled back. What Spring knows is no answer: it commits what a callback before
		// the commit has marked for a rollback
		if (isMarkedForRollback()) {
			transaction.close();
			return;
		}
		try {
			if (!transaction.messages().isEmpty() && execution instanceof TransactionStatus status
					&& !isFlushedByHand()) {
				status.flush();
			}
			LastFlush flush = execution.isReadOnly() ? null : lastFlush(transaction);
			if (flush != null) {
				transaction.await(flush);
			}
			else {
				transaction.close();
			}
			transaction.write();
		}
		catch (TransactionException ex) {
			throw new OutboxStoreException("The transaction was rolled back, because its "
					+ transaction.messages().size() + " outbox messages could not be stored: " + ex.getMessage(), ex);
		}
	}

	// JPA lets such a transaction come to its commit, and refuses to commit it
	private boolean isMarkedForRollback() {
		return HIBERNATE && connection() instanceof ConnectionHolder holder
				&& HibernateFlush.isMarkedForRollback(holder.getConnection());
	}

	// What an application holds back is not written only because it has published
	private boolean isFlushedByHand() {
		return HIBERNATE && connection() instanceof ConnectionHolder holder
				&& HibernateFlush.isOnlyByHand(holder.getConnection());
	}

	private @Nullable LastFlush lastFlush(OutboxTransaction transaction) {
		return (HIBERNATE && connection() instanceof ConnectionHolder holder)
				? HibernateFlush.on(holder.getConnection(), transaction::write) : null;
	}

	@Override
	public void afterCommit(TransactionExecution execution, @Nullable Throwable failure) {
		unbind(execution);
	}

	@Override
	public void beforeRollback(TransactionExecution execution) {
		OutboxTransaction transaction = current();
		if (transaction != null && transaction.belongsTo(execution)) {
			transaction.close();
		}
	}

	@Override
	public void afterRollback(TransactionExecution execution, @Nullable Throwable failure) {
		unbind(execution);
	}

	private @Nullable OutboxTransaction current() {
		return (OutboxTransaction) TransactionSynchronizationManager.getResource(this.key);
	}

	private void unbind(TransactionExecution execution) {
		OutboxTransaction transaction = current();
		if (transaction != null && transaction.belongsTo(execution)) {
			transaction.close();
			TransactionSynchronizationManager.unbindResource(this.key);
		}
	}

	private void wakeRelay(Set<Integer> partitions) {
		try {
			this.relay.accept(partitions);
		}
		catch (RuntimeException ex) {
			logger.atWarn()
				.setCause(ex)
				.addKeyValue("error", ex.toString())
				.log("The relay could not be woken after a commit; it will find the messages at its next poll");
		}
	}

	private void rollBack() {
		if (connection() instanceof ConnectionHolder holder) {
			try {
				holder.getConnection().rollback();
			}
			catch (SQLException ex) {
				logger.atWarn()
					.setCause(ex)
					.addKeyValue("error", ex.toString())
					.log("A transaction that failed before its commit could not be rolled back; it is, if its connection is gone");
			}
		}
	}

	private @Nullable Object connection() {
		return TransactionSynchronizationManager.getResource(this.dataSource);
	}

}
