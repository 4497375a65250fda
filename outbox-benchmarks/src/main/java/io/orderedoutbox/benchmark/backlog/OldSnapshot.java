/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.backlog;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

import io.orderedoutbox.benchmark.application.Instance;
import io.orderedoutbox.benchmark.broker.BenchQueue;
import io.orderedoutbox.benchmark.figure.Figure;
import io.orderedoutbox.benchmark.figure.Goal;
import io.orderedoutbox.benchmark.figure.Rounds;
import io.orderedoutbox.benchmark.scenario.Bench;
import io.orderedoutbox.benchmark.scenario.Scenario;
import io.orderedoutbox.servers.Database;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * A drain while somebody else keeps a snapshot open, so that the database cannot purge
 * the rows that were deleted.
 */
public final class OldSnapshot implements Scenario {

	private static final int MESSAGES = 500_000;

	private static final int KEYS = 1_000;

	private static final String WITH = "drain 500,000 messages beside an old snapshot";

	private static final String WITHOUT = "the same without it";

	@Override
	public String name() {
		return "old-snapshot";
	}

	@Override
	public String title() {
		return "drain 500,000 messages while a snapshot stays open elsewhere";
	}

	@Override
	public List<Figure> measure(Bench bench) throws Exception {
		int messages = bench.scaled(MESSAGES);
		Rounds rounds = new Rounds();
		bench.warmUp(() -> drain(bench, messages / 20, false));
		for (int round = 1; round <= bench.rounds(); round++) {
			rounds.add(WITHOUT, drain(bench, messages, false));
			rounds.add(WITH, drain(bench, messages, true));
		}
		System.out.print(rounds);
		return List.of(new Figure(name(), WITH, rounds.median(WITH), "messages/s", rounds.limit(WITH, WITHOUT, WITHOUT),
				Goal.atLeast(0.7)));
	}

	private static double drain(Bench bench, int messages, boolean beside) throws Exception {
		Database database = bench.freshDatabase();
		try (BenchQueue queue = bench.freshQueue(); Instance instance = bench.instance(database).start()) {
			instance.relay().stop();
			Backlog backlog = new Backlog(messages, KEYS, bench.payloads(), queue);
			backlog.fill(instance);
			double rate = beside ? drainBesideSnapshot(bench, database, instance, backlog)
					: new Draining(backlog, 0).by(List.of(instance));
			// Or the purge of it all would be felt by what is measured next
			instance.jdbc().sql("TRUNCATE TABLE outbox_message").update();
			return rate;
		}
	}

	private static double drainBesideSnapshot(Bench bench, Database database, Instance instance, Backlog backlog)
			throws SQLException, InterruptedException {
		try (Connection other = bench.connect(database); Statement statement = other.createStatement()) {
			other.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
			other.setAutoCommit(false);
			statement.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT");
			double rate = new Draining(backlog, 0).by(List.of(instance));
			long seen = JdbcClient.create(new SingleConnectionDataSource(other, true))
				.sql("SELECT COUNT(*) FROM outbox_message")
				.query(Long.class)
				.single();
			if (seen != backlog.messages()) {
				throw new IllegalStateException("The snapshot was not open all the time");
			}
			other.rollback();
			return rate;
		}
	}

}
