/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.orderedoutbox.contract.StoreUnderTest;
import io.orderedoutbox.store.OutboxStore;
import io.orderedoutbox.store.RelayStore;
import io.orderedoutbox.testing.InterceptedDataSource;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * The stores on tables, with few partitions, so that keys share them. Each instance has
 * connections of its own.
 */
final class JdbcStoreUnderTest implements StoreUnderTest {

	private final SmallOutbox outbox;

	private final OutboxStore store;

	private final PlatformTransactionManager transactions;

	JdbcStoreUnderTest(SmallOutbox outbox) {
		this.outbox = outbox;
		this.store = outbox.writing(true);
		this.transactions = new JdbcTransactionManager(outbox.tables().writer());
	}

	@Override
	public OutboxStore outboxStore() {
		return this.store;
	}

	@Override
	public PlatformTransactionManager transactionManager() {
		return this.transactions;
	}

	@Override
	public Instance instance() {
		return new JdbcInstance();
	}

	@Override
	public void close() {
		this.outbox.close();
	}

	/**
	 * An instance whose connections end when it dies.
	 */
	private final class JdbcInstance implements Instance {

		private final Set<Connection> connections = ConcurrentHashMap.newKeySet();

		private final RelayStore store = JdbcStoreUnderTest.this.outbox
			.relaying(new InterceptedDataSource(JdbcStoreUnderTest.this.outbox.tables().pool(3)) {

				@Override
				protected Interceptor opened(Connection connection) throws SQLException {
					JdbcInstance.this.connections.add(connection.unwrap(Connection.class));
					return (call) -> call.proceed();
				}

			}, ClaimWorker.settings(true, 50), System::nanoTime);

		@Override
		public RelayStore relayStore() {
			return this.store;
		}

		@Override
		public boolean die() {
			this.connections.forEach(JdbcInstance::end);
			return true;
		}

		// Not every driver ends what is aborted
		private static void end(Connection connection) {
			try {
				connection.abort(Runnable::run);
				connection.close();
			}
			catch (SQLException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
