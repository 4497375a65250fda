/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.scenario;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

import io.orderedoutbox.benchmark.application.Instance;
import io.orderedoutbox.benchmark.broker.BenchQueue;
import io.orderedoutbox.benchmark.load.Payloads;
import io.orderedoutbox.servers.Broker;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;

/**
 * Where a scenario is measured, and with what.
 *
 * @param rounds how often everything is measured
 * @param payloadBytes size of a payload
 * @param queueType type of the queues: classic or quorum
 * @param scale what the numbers of messages are multiplied by: 1 for figures that count
 * @param tuning how the instances differ from the ordinary one
 */
public record Bench(int rounds, int payloadBytes, String queueType, double scale, Tuning tuning) {

	/**
	 * Do again and again what will be measured, until it is warm.
	 */
	public void warmUp(Step step) throws Exception {
		new WarmUp(Math.min(1, this.scale)).by(step);
	}

	public Database freshDatabase() {
		return Servers.database().fresh();
	}

	/**
	 * A connection that has nothing to do with an instance, and is not counted.
	 */
	public Connection connect(Database database) throws SQLException {
		return DriverManager.getConnection(database.jdbcUrl(), database.username(), database.password());
	}

	public Broker broker() {
		return Servers.broker();
	}

	public BenchQueue freshQueue() {
		return BenchQueue.declare(broker(), this.queueType);
	}

	public Payloads payloads() {
		return new Payloads(this.payloadBytes);
	}

	public int scaled(int messages) {
		return Math.max(1_000, (int) (messages * this.scale));
	}

	/**
	 * An instance of an application with the outbox, with default settings but for what
	 * was said on the command line.
	 */
	public Instance.Builder instance(Database database) {
		return this.tuning.of(new Instance.Builder(database, broker()));
	}

	/**
	 * Something that is done again and again.
	 */
	@FunctionalInterface
	public interface Step {

		void run() throws Exception;

	}

}
