/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

import java.util.Properties;
import java.util.function.Supplier;

import com.mysql.cj.MysqlConnection;
import com.mysql.cj.Query;
import com.mysql.cj.interceptors.QueryInterceptor;
import com.mysql.cj.log.Log;
import com.mysql.cj.protocol.Resultset;
import com.mysql.cj.protocol.ServerSession;
import org.jspecify.annotations.Nullable;

/**
 * Is told what the driver sends to the database: statements, commits and settings alike.
 * Switched on by the option {@code queryInterceptors} of a JDBC URL; the driver makes one
 * for each connection.
 */
public abstract class SentStatements implements QueryInterceptor {

	/**
	 * A statement is about to be sent.
	 * @param sql what it says
	 */
	protected abstract void sent(Supplier<String> sql);

	@Override
	public QueryInterceptor init(MysqlConnection connection, Properties properties, Log log) {
		return this;
	}

	@Override
	@SuppressWarnings("TypeParameterUnusedInFormals") // the driver's
	public <T extends Resultset> @Nullable T preProcess(Supplier<String> sql, Query query) {
		sent(sql);
		return null;
	}

	@Override
	public <T extends Resultset> @Nullable T postProcess(Supplier<String> sql, Query query, T result,
			ServerSession session) {
		return null;
	}

	@Override
	public boolean executeTopLevelOnly() {
		return false;
	}

	@Override
	public void destroy() {
	}

}
