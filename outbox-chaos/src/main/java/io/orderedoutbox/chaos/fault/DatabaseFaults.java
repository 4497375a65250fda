/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.fault;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Random;

import io.orderedoutbox.chaos.time.Waiting;

/**
 * A database that goes away, and a stranger in it that holds locks.
 */
final class DatabaseFaults {

	private static final Duration A_MOMENT = Duration.ofMillis(50);

	private static final Duration A_WHILE = Duration.ofSeconds(3);

	private static final int STRIPES = 64;

	private static final int ROUNDS = 5;

	private DatabaseFaults() {
	}

	static List<Fault> all() {
		return List.of(Mishap.of("database killed", DatabaseFaults::kill, Part.DATABASE),
				Mishap.of("database connections killed", DatabaseFaults::killConnections, Part.DATABASE),
				Mishap.of("stripes locked by a stranger", DatabaseFaults::lockStripes, Part.DATABASE),
				Mishap.of("partitions locked by a stranger", DatabaseFaults::lockPartitions, Part.DATABASE),
				Mishap.of("messages locked by a stranger", DatabaseFaults::lockMessages, Part.DATABASE),
				Mishap.of("deadlocks with a stranger", DatabaseFaults::deadlock, Part.DATABASE));
	}

	private static void kill(World world, Random random) {
		world.servers().killDatabase();
		Waiting.sleep(random, Duration.ZERO, A_WHILE);
		world.servers().startDatabase();
	}

	private static void killConnections(World world, Random random) {
		world.servers().killDatabaseConnections(Waiting.between(random, Duration.ZERO, A_MOMENT));
	}

	// Up to beyond the writers' time to wait for a lock: those that wait fail then
	private static void lockStripes(World world, Random random) throws SQLException {
		int from = random.nextInt(STRIPES / 2);
		hold(world, Waiting.between(random, A_WHILE.dividedBy(2), A_WHILE.multipliedBy(3)),
				"SELECT id FROM outbox_stripe WHERE id BETWEEN %d AND %d ORDER BY id FOR UPDATE".formatted(from,
						from + STRIPES / 2));
	}

	// Relays pass over them
	private static void lockPartitions(World world, Random random) throws SQLException {
		int from = random.nextInt(STRIPES / 2);
		hold(world, Waiting.between(random, A_WHILE.dividedBy(2), A_WHILE.multipliedBy(2)),
				"SELECT id FROM outbox_partition WHERE id BETWEEN %d AND %d FOR UPDATE".formatted(from,
						from + STRIPES / 2));
	}

	// A relay that deletes them at the end of its batch waits, and gives up after a while
	private static void lockMessages(World world, Random random) throws SQLException {
		hold(world, Waiting.between(random, A_WHILE.dividedBy(2), A_WHILE.multipliedBy(2)),
				"SELECT id FROM outbox_message ORDER BY id LIMIT 300 FOR UPDATE SKIP LOCKED");
	}

	private static void hold(World world, Duration time, String select) throws SQLException {
		try (Connection connection = session(world); Statement lock = connection.createStatement()) {
			if (locks(world, lock, select)) {
				Waiting.sleep(time);
			}
			connection.rollback();
		}
	}

	// Against the order that writers keep, and with enough written that the database
	// rather gives up one of them
	private static void deadlock(World world, Random random) throws SQLException {
		try (Connection connection = session(world); Statement statement = connection.createStatement()) {
			statement.execute("CREATE TABLE IF NOT EXISTS weight (n INT)");
			for (String preference : world.words().preference()) {
				statement.execute(preference);
			}
			connection.commit();
			for (int round = 0; round < ROUNDS; round++) {
				statement.execute("INSERT INTO weight SELECT id FROM outbox_stripe");
				int stripe = STRIPES;
				boolean unharmed = true;
				while (stripe > 0 && unharmed) {
					unharmed = locks(world, statement,
							"SELECT id FROM outbox_stripe WHERE id BETWEEN %d AND %d FOR UPDATE"
								.formatted(stripe - STRIPES / 8, stripe - 1));
					stripe -= STRIPES / 8;
					Waiting.sleep(random, Duration.ZERO, A_MOMENT);
				}
				connection.rollback();
			}
		}
	}

	private static boolean locks(World world, Statement statement, String select) throws SQLException {
		try {
			statement.execute(select);
			return true;
		}
		catch (SQLException ex) {
			if (!world.words().isAboutLocks(ex)) {
				throw ex;
			}
			return false;
		}
	}

	private static Connection session(World world) throws SQLException {
		Connection connection = world.servers().administration(world.schema()).getConnection();
		connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
		connection.setAutoCommit(false);
		return connection;
	}

}
