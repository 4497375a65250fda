package io.orderedoutbox.chaos;

import java.util.List;
import java.util.Properties;
import java.util.stream.IntStream;

import io.orderedoutbox.chaos.server.ControlledServers;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * The suite's own tables, in a schema in which the applications make those of the outbox.
 */
final class ChaosSchema {

	private static final List<String> TABLES = List.of(
			"CREATE TABLE chaos_counter (id INT PRIMARY KEY, version BIGINT NOT NULL)", """
					CREATE TABLE chaos_ledger (id BIGINT PRIMARY KEY,
					message_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
					partition_key VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
					tx BIGINT NOT NULL, commit_began BIGINT NOT NULL)""", """
					CREATE TABLE chaos_effect (seq BIGINT AUTO_INCREMENT PRIMARY KEY, consumer VARCHAR(100) NOT NULL,
					message_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
					partition_key VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
					version BIGINT NOT NULL, number BIGINT NOT NULL, seen BIGINT NOT NULL,
					redelivered BOOLEAN NOT NULL, at BIGINT NOT NULL)""",
			"CREATE TABLE chaos_progress (partition_key VARBINARY(255) PRIMARY KEY, effects BIGINT NOT NULL)",
			"CREATE TABLE chaos_poison (partition_key VARBINARY(255) PRIMARY KEY)",
			"CREATE TABLE chaos_demand (pause_millis BIGINT NOT NULL)", "INSERT INTO chaos_demand VALUES (-1)");

	private final String name;

	private final String jdbcUrl;

	private final JdbcClient jdbc;

	private ChaosSchema(ControlledServers servers, String name) {
		this.name = name;
		this.jdbcUrl = servers.jdbcUrl().replaceFirst("(//[^/]+/)[^?]*", "$1" + name);
		Properties limits = new Properties();
		limits.setProperty("connectTimeout", "5000");
		limits.setProperty("socketTimeout", "60000");
		DriverManagerDataSource dataSource = new DriverManagerDataSource(this.jdbcUrl, servers.databaseUser(),
				servers.databasePassword());
		dataSource.setConnectionProperties(limits);
		this.jdbc = JdbcClient.create(dataSource);
	}

	static ChaosSchema create(ControlledServers servers, ChaosSettings settings) {
		ChaosSchema schema = new ChaosSchema(servers, "chaos_" + settings.seed());
		JdbcClient server = JdbcClient
			.create(new DriverManagerDataSource(servers.jdbcUrl(), servers.databaseUser(), servers.databasePassword()));
		server.sql("DROP DATABASE IF EXISTS " + schema.name).update();
		server.sql("CREATE DATABASE " + schema.name + " CHARACTER SET utf8mb4").update();
		TABLES.forEach((table) -> schema.jdbc.sql(table).update());
		List<String> counters = IntStream.range(0, settings.keys()).mapToObj("(%d, 0)"::formatted).toList();
		schema.jdbc.sql("INSERT INTO chaos_counter VALUES " + String.join(", ", counters)).update();
		return schema;
	}

	String jdbcUrl() {
		return this.jdbcUrl;
	}

	JdbcClient jdbc() {
		return this.jdbc;
	}

	/**
	 * How many messages are in the outbox.
	 */
	int depth() {
		return count("outbox_message");
	}

	int deadLetters() {
		return count("outbox_dead_letter");
	}

	/**
	 * How many messages were committed.
	 */
	int committed() {
		return count("chaos_ledger");
	}

	/**
	 * How many effects messages have had.
	 */
	int effects() {
		return count("chaos_effect");
	}

	private int count(String table) {
		return this.jdbc.sql("SELECT COUNT(*) FROM " + table).query(Integer.class).single();
	}

	/**
	 * Ask the writers for as much as they can, with a pause between two transactions of a
	 * thread; negative: for nothing.
	 */
	void demand(long pauseMillis) {
		this.jdbc.sql("UPDATE chaos_demand SET pause_millis = ?").param(pauseMillis).update();
	}

	void drop() {
		this.jdbc.sql("DROP DATABASE " + this.name).update();
	}

}
