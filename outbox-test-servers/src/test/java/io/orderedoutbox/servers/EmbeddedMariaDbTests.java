/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Tag("slow")
@Tag("thorough")
class EmbeddedMariaDbTests {

	@Test
	void answersAQuery() throws SQLException {
		try (EmbeddedMariaDb server = EmbeddedMariaDb.start()) {
			assertThat(query(server, "SELECT 1")).isEqualTo("1");
			assertThat(query(server, "SELECT VERSION()")).contains("MariaDB");
			assertThat(query(server, "SELECT SCHEMA()")).isEqualTo("outbox");
		}
	}

	@Test
	void twoServersStartAtTheSameTimeAndAreApart() throws SQLException {
		CompletableFuture<EmbeddedMariaDb> starting = CompletableFuture.supplyAsync(EmbeddedMariaDb::start,
				(task) -> new Thread(task).start());
		try (EmbeddedMariaDb one = EmbeddedMariaDb.start(); EmbeddedMariaDb other = starting.join()) {
			execute(one, "CREATE TABLE only_here (id INT)");
			assertThat(one.jdbcUrl()).isNotEqualTo(other.jdbcUrl());
			assertThat(query(other, "SELECT COUNT(*) FROM information_schema.tables WHERE table_name = 'only_here'"))
				.isEqualTo("0");
		}
	}

	@Test
	void keepsItsDataAndItsPortAcrossARestart() throws SQLException {
		try (EmbeddedMariaDb server = EmbeddedMariaDb.start()) {
			String url = server.jdbcUrl();
			execute(server, "CREATE TABLE kept (id INT)");
			execute(server, "INSERT INTO kept VALUES (42)");
			server.restart();
			assertThat(server.jdbcUrl()).isEqualTo(url);
			assertThat(query(server, "SELECT id FROM kept")).isEqualTo("42");
		}
	}

	@Test
	void keepsItsDataAndItsPortWhenItIsKilled() throws SQLException {
		try (EmbeddedMariaDb server = EmbeddedMariaDb.start()) {
			int port = server.port();
			execute(server, "CREATE TABLE kept (id INT)");
			execute(server, "INSERT INTO kept VALUES (42)");
			server.kill();
			assertThatExceptionOfType(SQLException.class).isThrownBy(() -> query(server, "SELECT 1"));
			server.startAgain();
			assertThat(server.port()).isEqualTo(port);
			assertThat(query(server, "SELECT id FROM kept")).isEqualTo("42");
		}
	}

	@Test
	void isDurableAsTheOutboxWantsIt() throws SQLException {
		try (EmbeddedMariaDb server = EmbeddedMariaDb.start()) {
			assertThat(query(server, "SELECT @@innodb_flush_log_at_trx_commit")).isEqualTo("1");
			assertThat(query(server, "SELECT @@bind_address")).isEqualTo("127.0.0.1");
		}
	}

	@Test
	void leavesNoFilesBehind() throws SQLException {
		EmbeddedMariaDb server = EmbeddedMariaDb.start();
		Path data = Path.of(query(server, "SELECT @@datadir"));
		assertThat(data).exists();
		server.close();
		assertThat(Files.exists(data.getParent())).isFalse();
	}

	private static void execute(EmbeddedMariaDb server, String sql) throws SQLException {
		try (Connection connection = connect(server); Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	private static String query(EmbeddedMariaDb server, String sql) throws SQLException {
		try (Connection connection = connect(server);
				Statement statement = connection.createStatement();
				ResultSet result = statement.executeQuery(sql)) {
			result.next();
			return result.getString(1);
		}
	}

	private static Connection connect(EmbeddedMariaDb server) throws SQLException {
		return DriverManager.getConnection(server.jdbcUrl(), server.username(), server.password());
	}

}
