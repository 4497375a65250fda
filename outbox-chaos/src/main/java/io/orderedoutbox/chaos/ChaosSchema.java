/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.orderedoutbox.chaos.server.ControlledServers;
import io.orderedoutbox.chaos.server.DatabaseWords;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * The suite's own tables, in a schema in which the applications make those of the outbox.
 */
final class ChaosSchema {

	private static final Duration TO_CONNECT = Duration.ofSeconds(5);

	private static final Duration TO_ANSWER = Duration.ofSeconds(60);

	private final String name;

	private final String jdbcUrl;

	private final JdbcClient server;

	private final DatabaseWords words;

	private final JdbcClient jdbc;

	private ChaosSchema(ControlledServers servers, String name) {
		this.name = name;
		this.jdbcUrl = DatabaseWords.urlOf(servers.jdbcUrl(), name);
		this.server = JdbcClient.create(servers.administration());
		this.words = DatabaseWords.of(this.jdbcUrl);
		this.jdbc = JdbcClient
			.create(new DriverManagerDataSource(this.jdbcUrl + this.words.limits(TO_CONNECT, TO_ANSWER),
					servers.databaseUser(), servers.databasePassword()));
	}

	static ChaosSchema create(ControlledServers servers, ChaosSettings settings) {
		ChaosSchema schema = new ChaosSchema(servers, "chaos_" + settings.seed());
		schema.drop();
		schema.server.sql(schema.words.createSchema(schema.name)).update();
		tables(schema.words).forEach((table) -> schema.jdbc.sql(table).update());
		List<String> counters = IntStream.range(0, settings.keys()).mapToObj("(%d, 0)"::formatted).toList();
		schema.jdbc.sql("INSERT INTO chaos_counter VALUES " + String.join(", ", counters)).update();
		return schema;
	}

	private static List<String> tables(DatabaseWords words) {
		return List.of("CREATE TABLE chaos_counter (id INT PRIMARY KEY, version BIGINT NOT NULL)",
				"""
						CREATE TABLE chaos_ledger (id BIGINT PRIMARY KEY, message_id %s NOT NULL,
						partition_key %s NOT NULL, tx BIGINT NOT NULL, commit_began BIGINT NOT NULL)"""
					.formatted(words.id(), words.key()),
				"""
						CREATE TABLE chaos_effect (seq %s, consumer VARCHAR(100) NOT NULL, message_id %s NOT NULL,
						partition_key %s NOT NULL, version BIGINT NOT NULL, number BIGINT NOT NULL, seen BIGINT NOT NULL,
						redelivered BOOLEAN NOT NULL, at BIGINT NOT NULL)"""
					.formatted(words.numbered(), words.id(), words.key()),
				"CREATE TABLE chaos_progress (partition_key %s PRIMARY KEY, effects BIGINT NOT NULL)"
					.formatted(words.exactKey()),
				"CREATE TABLE chaos_poison (partition_key %s PRIMARY KEY)".formatted(words.exactKey()),
				"CREATE TABLE chaos_demand (pause_millis BIGINT NOT NULL)", "INSERT INTO chaos_demand VALUES (-1)");
	}

	/**
	 * How the statements of the suite are written on its database.
	 */
	DatabaseWords words() {
		return this.words;
	}

	String name() {
		return this.name;
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
		this.server.sql(this.words.dropSchema(this.name)).update();
	}

}
