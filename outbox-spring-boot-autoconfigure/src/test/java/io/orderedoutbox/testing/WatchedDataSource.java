/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.testing;

import java.sql.Connection;
import java.util.Set;

import javax.sql.DataSource;

/**
 * Tells {@link SqlLog} what is sent to a database whose driver does not say it.
 */
public final class WatchedDataSource extends InterceptedDataSource {

	private static final Set<String> WITH_TEXT = Set.of("prepareStatement", "execute", "executeQuery", "executeUpdate");

	private static final Set<String> WITHOUT_TEXT = Set.of("commit", "rollback");

	public WatchedDataSource(DataSource dataSource) {
		super(dataSource);
	}

	@Override
	protected Interceptor opened(Connection connection) {
		return (call) -> {
			Object[] arguments = call.arguments();
			if (WITH_TEXT.contains(call.name()) && arguments != null && arguments[0] instanceof String sql) {
				SqlLog.add(sql);
			}
			if (WITHOUT_TEXT.contains(call.name()) && arguments == null) {
				SqlLog.add(call.name());
			}
			if (call.name().equals("abort")) {
				// Not every driver does it
				connection.close();
			}
			return call.proceed();
		};
	}

}
