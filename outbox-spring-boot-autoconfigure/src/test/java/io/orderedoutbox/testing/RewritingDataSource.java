/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.testing;

import java.sql.Connection;
import java.util.function.UnaryOperator;

import javax.sql.DataSource;

/**
 * A data source that changes statements on their way to the database.
 */
public final class RewritingDataSource extends InterceptedDataSource {

	private final UnaryOperator<String> change;

	public RewritingDataSource(DataSource dataSource, UnaryOperator<String> change) {
		super(dataSource);
		this.change = change;
	}

	@Override
	protected Interceptor opened(Connection connection) {
		return (call) -> {
			Object[] arguments = call.arguments();
			if (arguments != null && arguments[0] instanceof String sql) {
				arguments[0] = this.change.apply(sql);
			}
			return call.proceed();
		};
	}

}
