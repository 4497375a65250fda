/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.dialect;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * What the sessions of the library are set to while they are in use. The connections come
 * from the application, which may have set theirs to anything: by options of the JDBC
 * URL, by a statement of the pool, by a setting of the server.
 * <p>
 * Both are one statement. The first keeps what the session had in variables of the
 * session, and the second gives it back, once: a session that has kept nothing refuses
 * it.
 *
 * @param apply sets a session; its parameter, if it has one, is for how many seconds the
 * server waits for the next statement, or works on one
 * @param restore gives a session back what it had before that
 * @param isTransactional whether a setting belongs to the transaction in which it is
 * made, and goes with it
 */
public record SessionSettings(String apply, String restore, boolean isTransactional) {

	/**
	 * Set what a session of the library needs.
	 * @param connection the session
	 * @param seconds how long a statement may take
	 * @throws SQLException if the server refuses it
	 */
	public void applyTo(Connection connection, long seconds) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(this.apply)) {
			if (this.apply.contains("?")) {
				statement.setLong(1, seconds);
			}
			execute(statement, connection);
		}
	}

	/**
	 * Set the session as it was before.
	 * @param connection the session
	 * @throws SQLException if the server refuses it
	 */
	public void restoreTo(Connection connection) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(this.restore)) {
			execute(statement, connection);
		}
	}

	private void execute(PreparedStatement statement, Connection connection) throws SQLException {
		statement.execute();
		if (this.isTransactional && !connection.getAutoCommit()) {
			connection.commit();
		}
	}

}
