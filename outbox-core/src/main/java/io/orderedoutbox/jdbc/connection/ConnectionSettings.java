/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * What JDBC knows of a connection's session.
 *
 * @param autoCommit whether each statement is committed by itself
 * @param networkTimeout how long a read from the server may take, in milliseconds; 0 for
 * ever
 */
record ConnectionSettings(boolean autoCommit, int networkTimeout) {

	static ConnectionSettings of(Connection connection) throws SQLException {
		return new ConnectionSettings(connection.getAutoCommit(), connection.getNetworkTimeout());
	}

	// To set auto-commit may take a round trip
	boolean applyTo(Connection connection) throws SQLException {
		connection.setNetworkTimeout(Runnable::run, this.networkTimeout);
		if (connection.getAutoCommit() != this.autoCommit) {
			connection.setAutoCommit(this.autoCommit);
		}
		return true;
	}

}
