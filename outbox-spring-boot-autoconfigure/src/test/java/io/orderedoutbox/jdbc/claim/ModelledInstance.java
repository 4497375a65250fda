/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.testing.RewritingDataSource;

/**
 * An instance of an application, and its workers.
 */
final class ModelledInstance {

	private final SmallOutbox outbox;

	private final String name;

	private final AtomicReference<String> server = new AtomicReference<>("first");

	private final LossyDataSource lossy;

	private final OutboxDatabase database;

	private List<ModelledWorker> workers = List.of();

	ModelledInstance(SmallOutbox outbox, String name, int workers, boolean archiving) {
		this.outbox = outbox;
		this.name = name;
		HikariDataSource pool = outbox.tables().pool(workers);
		this.lossy = new LossyDataSource(pool);
		String variable = new OutboxDatabase(pool, "outbox_").dialect().sql().server();
		this.database = new OutboxDatabase(
				new RewritingDataSource(this.lossy, (sql) -> sql.replace(variable, "'" + this.server.get() + "'")),
				"outbox_", archiving, SmallOutbox.PARTITIONS);
	}

	/**
	 * Start it, or start it anew.
	 */
	void start(int count, ClaimSettings settings, LongSupplier clock, ModelledKeys keys) {
		stop();
		ClaimWorker first = ClaimWorker.onItsOwnThread(this.database, settings, clock);
		this.workers = IntStream.range(0, count)
			.mapToObj((number) -> new ModelledWorker(this, this.name + number, (number > 0) ? first.colleague() : first,
					keys))
			.toList();
	}

	String name() {
		return this.name;
	}

	SmallOutbox outbox() {
		return this.outbox;
	}

	boolean isArchiving() {
		return this.database.isArchiving();
	}

	List<ModelledWorker> workers() {
		return this.workers;
	}

	JdbcRelayStore store() {
		return this.workers.get(0).worker().store();
	}

	LossyDataSource connections() {
		return this.lossy;
	}

	/**
	 * Find another server from now on, with the same messages.
	 */
	void changeServer(String name) {
		this.workers.forEach((worker) -> worker.worker().rest());
		this.server.set(name);
	}

	void stop() {
		for (ModelledWorker worker : this.workers) {
			if (worker.hasClaim()) {
				worker.close();
			}
			worker.worker().end();
		}
		this.workers = List.of();
	}

	/**
	 * Leave it as it is.
	 */
	void abandon() {
		this.workers.forEach((worker) -> worker.worker().abandon());
		this.workers = List.of();
	}

}
