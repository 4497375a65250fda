/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.sql.Connection;

import jakarta.persistence.EntityManager;
import jakarta.transaction.Synchronization;
import org.hibernate.FlushMode;
import org.hibernate.Transaction;
import org.hibernate.engine.spi.SessionImplementor;
import org.hibernate.resource.jdbc.spi.LogicalConnectionImplementor;
import org.hibernate.resource.transaction.spi.TransactionStatus;
import org.jspecify.annotations.Nullable;

import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The {@link LastFlush} of Hibernate, which itself tells of its end: all business rows
 * are locked by then.
 */
final class HibernateFlush implements LastFlush, Synchronization {

	private final Transaction transaction;

	private final Runnable write;

	private boolean pending = true;

	private HibernateFlush(Transaction transaction, Runnable write) {
		this.transaction = transaction;
		this.write = write;
	}

	/**
	 * Return the flush that comes when the transaction on a connection commits, or
	 * {@code null} if it is no transaction of Hibernate.
	 * @param connection the connection
	 * @param write writes what was published, and is called after the flush
	 */
	static @Nullable LastFlush on(Connection connection, Runnable write) {
		SessionImplementor session = sessionOn(connection);
		if (session == null) {
			return null;
		}
		HibernateFlush flush = new HibernateFlush(session.getTransaction(), write);
		flush.transaction.registerSynchronization(flush);
		return flush;
	}

	/**
	 * Return whether the application alone decides when the session on a connection is
	 * flushed. The commit does not flush such a session.
	 */
	static boolean isOnlyByHand(Connection connection) {
		SessionImplementor session = sessionOn(connection);
		return session != null && session.getHibernateFlushMode() == FlushMode.MANUAL;
	}

	/**
	 * Return whether the transaction of the session on a connection can only be rolled
	 * back.
	 */
	static boolean isMarkedForRollback(Connection connection) {
		SessionImplementor session = sessionOn(connection);
		return session != null && session.getTransaction().getStatus() == TransactionStatus.MARKED_ROLLBACK;
	}

	private static @Nullable SessionImplementor sessionOn(Connection connection) {
		for (Object resource : TransactionSynchronizationManager.getResourceMap().values()) {
			if (resource instanceof EntityManagerHolder holder && session(holder) instanceof SessionImplementor session
					&& isOn(connection, session)) {
				return session;
			}
		}
		return null;
	}

	private static @Nullable Object session(EntityManagerHolder holder) {
		try {
			EntityManager entities = holder.getEntityManager();
			return entities.getDelegate();
		}
		catch (IllegalStateException ex) {
			// It holds a stateless session only, which has nothing to flush
			return null;
		}
	}

	private static boolean isOn(Connection connection, SessionImplementor session) {
		LogicalConnectionImplementor logical = session.getJdbcCoordinator().getLogicalConnection();
		return logical.isPhysicallyConnected() && logical.getPhysicalConnection() == connection;
	}

	@Override
	public void beforeCompletion() {
		this.pending = false;
		this.write.run();
	}

	@Override
	public void afterCompletion(int status) {
		this.pending = false;
	}

	@Override
	public boolean isPending() {
		return this.pending;
	}

	@Override
	public boolean isTooLate() {
		return !this.transaction.isActive();
	}

}
