/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Predicate;

import javax.sql.DataSource;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.jdbc.connection.DatabaseName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the connections to one database from those to others by the host, the port and
 * the database in their URLs, which drivers know without asking the server.
 *
 * @param address of the database
 */
record ShardConnections(String address) implements Predicate<Connection> {

	private static final Logger logger = LoggerFactory.getLogger(ShardConnections.class);

	/**
	 * Those to the database that a DataSource leads to. Its properties tell the address;
	 * one without such a URL is asked for a connection.
	 * @throws OutboxConfigurationException if the address cannot be found out
	 */
	static ShardConnections of(DataSource dataSource) {
		String known = DatabaseName.addressOf(dataSource);
		return new ShardConnections((known != null) ? known : asked(dataSource));
	}

	private static String asked(DataSource dataSource) {
		String address;
		try (Connection connection = dataSource.getConnection()) {
			address = DatabaseName.addressOf(connection);
		}
		catch (SQLException ex) {
			throw new OutboxConfigurationException(
					"The address of the shard's database cannot be found out: its DataSource has no URL, and gives no connection.",
					"Start the database, or use a DataSource with a property 'url' or 'jdbcUrl'.", ex);
		}
		if (address == null) {
			throw new OutboxConfigurationException(
					"The URL of the shard's database (%s) does not show which database it is."
						.formatted(DatabaseName.of(dataSource)),
					"Write it as jdbc:<driver>://<host>:<port>/<database>, without user, password and '@'.");
		}
		return address;
	}

	@Override
	public String toString() {
		return this.address;
	}

	@Override
	public boolean test(Connection connection) {
		try {
			return this.address.equals(DatabaseName.addressOf(connection));
		}
		catch (SQLException ex) {
			logger.debug("A connection does not tell its URL: it is taken for none of {}", this.address, ex);
			return false;
		}
	}

}
