/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Savepoint;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.AbstractDataSource;

/**
 * A {@link javax.sql.DataSource} for tests without a database. Its connections take part
 * in Spring's transactions, savepoints included, so that the outbox can follow these.
 * They refuse every statement.
 */
final class TransactionsOnly extends AbstractDataSource {

	@Override
	public Connection getConnection() {
		return stub(Connection.class, new TransactionOnly());
	}

	@Override
	public Connection getConnection(String username, String password) {
		return getConnection();
	}

	private static <T> T stub(Class<T> type, InvocationHandler handler) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, handler));
	}

	/**
	 * A connection on which nothing happens.
	 */
	private static final class TransactionOnly implements InvocationHandler {

		private boolean isAutoCommit = true;

		private boolean isClosed;

		@Override
		public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
				throws SQLFeatureNotSupportedException {
			Object first = (arguments != null) ? arguments[0] : null;
			return switch (method.getName()) {
				case "equals" -> proxy == first;
				case "hashCode" -> System.identityHashCode(proxy);
				case "toString" -> "a connection without a database";
				case "getAutoCommit" -> this.isAutoCommit;
				case "setAutoCommit" -> setAutoCommit(Boolean.TRUE.equals(first));
				case "isClosed" -> this.isClosed;
				case "close" -> close();
				case "getTransactionIsolation" -> Connection.TRANSACTION_READ_COMMITTED;
				case "isReadOnly" -> false;
				case "getMetaData" -> stub(DatabaseMetaData.class, TransactionOnly::metaData);
				case "setSavepoint" -> new Place();
				case "commit", "rollback", "releaseSavepoint", "setReadOnly", "setTransactionIsolation" -> null;
				default -> throw refusal(method.getName());
			};
		}

		private @Nullable Object setAutoCommit(boolean autoCommit) {
			this.isAutoCommit = autoCommit;
			return null;
		}

		private @Nullable Object close() {
			this.isClosed = true;
			return null;
		}

		private static Object metaData(Object proxy, Method method, Object @Nullable [] arguments)
				throws SQLFeatureNotSupportedException {
			if (method.getName().equals("supportsSavepoints")) {
				return true;
			}
			throw refusal(method.getName());
		}

		private static SQLFeatureNotSupportedException refusal(String method) {
			return new SQLFeatureNotSupportedException(
					"%s(…) needs a database, and this test has none: its outbox is in memory. Give the test a DataSource"
						.formatted(method));
		}

	}

	/**
	 * A savepoint, which is no more than an identity here.
	 */
	private static final class Place implements Savepoint {

		@Override
		public int getSavepointId() {
			return System.identityHashCode(this);
		}

		@Override
		public String getSavepointName() {
			return "savepoint " + getSavepointId();
		}

	}

}
