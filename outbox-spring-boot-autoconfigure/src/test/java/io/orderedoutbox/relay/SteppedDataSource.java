/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Statement;
import java.util.Set;

import javax.sql.DataSource;

import com.mysql.cj.jdbc.JdbcConnection;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.InterceptedDataSource;

/**
 * A data source between whose statements anything may happen: others go on before and
 * after each, and a connection may be lost before the server has heard of a statement, or
 * before the client has heard of the answer.
 */
final class SteppedDataSource extends InterceptedDataSource {

	private static final Set<String> STEPS = Set.of("commit", "rollback", "execute", "executeQuery", "executeUpdate",
			"executeBatch");

	private final SimulatedFaults faults;

	SteppedDataSource(DataSource dataSource, SimulatedFaults faults) {
		super(dataSource);
		this.faults = faults;
	}

	@Override
	protected Interceptor opened(Connection connection) throws SQLException {
		SimulatedFaults.Session session = this.faults.opened(id(connection));
		return (call) -> {
			if (call.target() == connection && call.name().equals("close")) {
				this.faults.closed(session);
			}
			boolean isStep = STEPS.contains(call.name());
			if (isStep) {
				this.faults.before(session);
			}
			Object result = call.proceed();
			if (isStep && this.faults.isLostAfter(session)) {
				throw new SQLNonTransientConnectionException("The answer was lost", "08S01");
			}
			return result;
		};
	}

	private static long id(Connection connection) throws SQLException {
		if (!Servers.database().isPostgreSql() && !Servers.database().isH2()) {
			return connection.unwrap(JdbcConnection.class).getId();
		}
		try (Statement statement = connection.createStatement();
				ResultSet id = statement
					.executeQuery(Servers.database().choose("", "SELECT pg_backend_pid()", "SELECT SESSION_ID()"))) {
			id.next();
			return id.getLong(1);
		}
	}

}
