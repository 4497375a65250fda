/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.testing;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A data source that lets a test see each call of its connections and of their
 * statements, and act before it, after it or in its place.
 */
public abstract class InterceptedDataSource extends DelegatingDataSource {

	protected InterceptedDataSource(DataSource dataSource) {
		super(dataSource);
	}

	@Override
	public final Connection getConnection() throws SQLException {
		Connection connection = super.getConnection();
		return proxy(Connection.class, connection, opened(connection));
	}

	/**
	 * A connection was opened.
	 * @return what sees its calls, and those of its statements
	 */
	protected abstract Interceptor opened(Connection connection) throws SQLException;

	private static <T> T proxy(Class<T> type, T target, Interceptor interceptor) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, arguments) -> {
				Object result = interceptor.on(new Call(target, method, arguments));
				if (!(target instanceof Connection)) {
					return result;
				}
				if (result instanceof PreparedStatement prepared) {
					return proxy(PreparedStatement.class, prepared, interceptor);
				}
				return (result instanceof Statement statement) ? proxy(Statement.class, statement, interceptor)
						: result;
			}));
	}

	/**
	 * Decides what becomes of a call.
	 */
	@FunctionalInterface
	public interface Interceptor {

		@Nullable Object on(Call call) throws Throwable;

	}

	/**
	 * A call of a connection or a statement.
	 */
	public record Call(Object target, Method method, Object @Nullable [] arguments) {

		public String name() {
			return this.method.getName();
		}

		public @Nullable Object proceed() throws Throwable {
			return AopUtils.invokeJoinpointUsingReflection(this.target, this.method, this.arguments);
		}

	}

}
