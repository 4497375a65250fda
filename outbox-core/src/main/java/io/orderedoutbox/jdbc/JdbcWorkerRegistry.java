/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;

import io.orderedoutbox.admin.RelayWorkerStatus;
import io.orderedoutbox.admin.RelayWorkers;
import io.orderedoutbox.jdbc.dialect.SqlFragments;
import tools.jackson.databind.json.JsonMapper;

import static io.orderedoutbox.jdbc.dialect.SqlFragments.LOOK;

/**
 * {@link RelayWorkers} in a table of the outbox, which may be missing. Each instance
 * writes its own rows and no others; only what has been silent for long is removed by
 * others. All times are those of the database.
 */
public final class JdbcWorkerRegistry implements RelayWorkers {

	private static final JsonMapper JSON = JsonMapper.shared();

	private final OutboxDatabase database;

	private final OptionalTable table;

	private final String remove;

	/**
	 * Create a registry.
	 * @param database the database of the outbox
	 */
	public JdbcWorkerRegistry(OutboxDatabase database) {
		this.database = database;
		this.table = new OptionalTable(database, "worker");
		this.remove = "DELETE FROM %s WHERE instance = ?".formatted(this.table.name());
	}

	/**
	 * Return the name of the table.
	 * @return the name
	 */
	public String table() {
		return this.table.name();
	}

	/**
	 * Write down what the workers of an instance are doing, in one statement.
	 * @param instance the instance
	 * @param workers all its workers
	 * @return whether there is a table for it
	 */
	public boolean write(Instance instance, List<Worker> workers) {
		SqlFragments sql = sql();
		String list = sql.listOf(sql.text(), "id INT", "state TEXT", "batches BIGINT", "in_hand INT");
		String rows = "SELECT %s, w.id, %s, %s, %s, %s, w.state, w.batches, w.in_hand FROM %s".formatted(
				sql.parameter("VARCHAR(36)"), sql.textOfColumn(), sql.parameter("BIGINT"), sql.after("?", sql.now()),
				sql.now(), list);
		String write = sql.insertOrUpdate(this.table.name(),
				"instance, id, host, pid, started_at, heartbeat_at, state, batches, keys_in_hand", rows, "instance, id",
				Stream.of("heartbeat_at", "state", "batches", "keys_in_hand")
					.map((column) -> column + " = " + sql.inserted(column))
					.toArray(String[]::new));
		return this.table.update(sql.inAnySession(write), instance.id(), sql.encoded(instance.host()), instance.pid(),
				-instance.age().toNanos() / 1_000,
				sql.encoded(JSON.writeValueAsString(workers.stream().map(JdbcWorkerRegistry::row).toList())));
	}

	private static List<Object> row(Worker worker) {
		return List.of(worker.id(), worker.state(), worker.batches(), worker.keysInHand());
	}

	// Not before it is asked for something: the database may have to say what it speaks
	private SqlFragments sql() {
		return this.database.dialect().sql();
	}

	@Override
	public List<RelayWorkerStatus> list() {
		SqlFragments sql = sql();
		String list = LOOK + """
				instance, id, %s AS host, pid, %s AS started, %s AS heartbeat, %s AS silence,
				state, batches, keys_in_hand FROM %s ORDER BY started_at, instance, id LIMIT 10000""".formatted(
				sql.utf8("host"), sql.micros("started_at"), sql.micros("heartbeat_at"),
				sql.between("heartbeat_at", sql.now()), this.table.name());
		List<RelayWorkerStatus> workers = this.table.read((jdbc) -> jdbc.query(list, JdbcWorkerRegistry::status));
		return (workers != null) ? workers : List.of();
	}

	@Override
	public boolean isKnown() {
		return this.table
			.read((jdbc) -> jdbc.queryForList(LOOK + "id FROM %s LIMIT 1".formatted(this.table.name()))) != null;
	}

	private static RelayWorkerStatus status(ResultSet rs, int index) throws SQLException {
		return new RelayWorkerStatus(rs.getString("instance"), rs.getInt("id"),
				new String(rs.getBytes("host"), StandardCharsets.UTF_8), rs.getLong("pid"),
				Instant.EPOCH.plus(rs.getLong("started"), ChronoUnit.MICROS),
				Instant.EPOCH.plus(rs.getLong("heartbeat"), ChronoUnit.MICROS),
				Duration.of(rs.getLong("silence"), ChronoUnit.MICROS), rs.getString("state"), rs.getLong("batches"),
				rs.getInt("keys_in_hand"));
	}

	/**
	 * Remove instances that have been silent for long, if there is a table.
	 * @param silence for how long
	 */
	public void removeSilent(Duration silence) {
		String findSilent = LOOK + "DISTINCT instance FROM %s WHERE heartbeat_at < %s".formatted(this.table.name(),
				sql().after("?", sql().now()));
		List<String> silent = this.table
			.read((jdbc) -> jdbc.queryForList(findSilent, String.class, -silence.toNanos() / 1_000));
		if (silent != null) {
			silent.forEach(this::remove);
		}
	}

	/**
	 * Remove an instance, if there is a table.
	 * @param instance the instance
	 */
	public void remove(String instance) {
		this.table.update(this.remove, instance);
	}

	/**
	 * An instance with a relay.
	 *
	 * @param id under which its workers are found
	 * @param host name of its host
	 * @param pid id of its process
	 * @param age how long ago it started
	 */
	public record Instance(String id, String host, long pid, Duration age) {

	}

	/**
	 * What a worker is doing.
	 *
	 * @param id its number, from one on
	 * @param state its state
	 * @param batches how many batches it has ended
	 * @param keysInHand how many partition keys it has claimed at the moment
	 */
	public record Worker(int id, String state, long batches, int keysInHand) {

	}

}
