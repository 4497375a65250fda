/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ServersTests {

	@Test
	void aJvmHasOneDatabaseAndOneBroker() {
		assertThat(Servers.database()).isSameAs(Servers.database());
		assertThat(Servers.broker()).isSameAs(Servers.broker());
	}

	@Test
	void aFreshDatabaseIsEmptyAndApart() throws SQLException {
		Database one = Servers.database().fresh();
		Database other = Servers.database().fresh();
		try (Connection connection = connect(one); Statement statement = connection.createStatement()) {
			statement.execute("CREATE TABLE only_here (id INT)");
		}
		assertThat(tables(one)).isEqualTo(1);
		assertThat(tables(other)).isZero();
		assertThat(one.version()).isEqualTo(Servers.database().version());
	}

	@Test
	void theEmbeddedServersAreNotTakenForTheRealOnes() {
		if (Servers.database().kind() == ServerKind.EMBEDDED) {
			assertThat(Servers.database().isMySql()).isFalse();
		}
		if (Servers.broker().kind() == ServerKind.EMBEDDED) {
			assertThat(Servers.broker().isRabbitMq()).isFalse();
		}
	}

	private static int tables(Database database) throws SQLException {
		try (Connection connection = connect(database);
				Statement statement = connection.createStatement();
				ResultSet result = statement
					.executeQuery("SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = SCHEMA()")) {
			result.next();
			return result.getInt(1);
		}
	}

	private static Connection connect(Database database) throws SQLException {
		return DriverManager.getConnection(database.jdbcUrl(), database.username(), database.password());
	}

}
