/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.jdbc.Partitions;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Claims;
import io.orderedoutbox.store.StoredMessage;
import io.orderedoutbox.testing.RewritingDataSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.util.unit.DataSize;

/**
 * A worker that claims on a connection of its own, and polls each time that it knows of
 * nothing to do.
 */
public final class ClaimWorker {

	private final DataSource pool;

	private final DataSource ofClaims;

	private final OutboxDatabase database;

	private final JdbcRelayStore store;

	private final Claims claims;

	private final OwnedThread thread;

	private ClaimWorker(OutboxDatabase database, JdbcRelayStore store, OwnedThread thread) {
		// Which database it is is asked once, and is none of the statements of a claim
		database.dialect();
		this.pool = database.dataSource();
		this.ofClaims = store.database().dataSource();
		this.database = database;
		this.store = store;
		this.claims = store.claims();
		this.thread = thread;
	}

	/**
	 * A worker of an instance of its own.
	 */
	public static ClaimWorker of(OutboxTables tables, ClaimSettings settings) {
		return of(tables.pool(1), settings);
	}

	/**
	 * A worker of an instance of its own.
	 */
	public static ClaimWorker of(DataSource dataSource, ClaimSettings settings) {
		return of(new OutboxDatabase(dataSource, "outbox_"), settings, System::nanoTime);
	}

	/**
	 * A worker that archives what it publishes.
	 */
	public static ClaimWorker archiving(OutboxTables tables, ClaimSettings settings) {
		return of(new OutboxDatabase(tables.pool(1), "outbox_", true, new Partitions()), settings, System::nanoTime);
	}

	/**
	 * A worker that may come upon another server, with the same messages or without.
	 * @param server its name
	 */
	static ClaimWorker on(OutboxTables tables, ClaimSettings settings, Supplier<String> server) {
		DataSource pool = tables.pool(1);
		String name = new OutboxDatabase(pool, "outbox_").dialect().sql().server();
		return of(new RewritingDataSource(pool, (sql) -> sql.replace(name, "'" + server.get() + "'")), settings);
	}

	/**
	 * A worker behind a network that can be broken, on one connection that no pool looks
	 * after.
	 */
	static ClaimWorker through(TcpProxy proxy, OutboxTables tables, ClaimSettings settings) {
		return of(tables.through(proxy), settings);
	}

	static ClaimWorker of(OutboxDatabase database, ClaimSettings settings, LongSupplier clock) {
		return of(database, settings, clock, OwnedThread.OF_THE_TEST);
	}

	/**
	 * A worker that works on a thread of its own, for which the test waits.
	 */
	static ClaimWorker onItsOwnThread(OutboxDatabase database, ClaimSettings settings, LongSupplier clock) {
		return of(database, settings, clock, new OwnedThread());
	}

	private static ClaimWorker of(OutboxDatabase database, ClaimSettings settings, LongSupplier clock,
			OwnedThread thread) {
		return new ClaimWorker(database, store(database, settings, clock), thread);
	}

	/**
	 * A store past the beginning, when all partitions are claimed: a poll finds what
	 * there is.
	 */
	static JdbcRelayStore store(OutboxDatabase database, ClaimSettings settings, LongSupplier clock) {
		JdbcRelayStore store = new JdbcRelayStore(database, settings, clock);
		PartitionBoard board = store.board();
		while (board.hasMore()) {
			board.take(1).forEach((id) -> board.release(id, false));
		}
		return store;
	}

	/**
	 * Settings of a worker that polls each time that it knows of nothing to do.
	 */
	public static ClaimSettings settings(boolean ordered, int batchSize) {
		return new ClaimSettings(ordered, batchSize, DataSize.ofMegabytes(16), Duration.ofSeconds(30), Duration.ZERO);
	}

	/**
	 * Another worker of the same instance, with one more connection. It works on a thread
	 * of its own, because a thread has one claim of an instance at a time; the test waits
	 * for it.
	 */
	public ClaimWorker colleague() {
		if (this.pool instanceof HikariDataSource hikari) {
			hikari.setMaximumPoolSize(hikari.getMaximumPoolSize() + 1);
		}
		return new ClaimWorker(this.database, this.store, new OwnedThread());
	}

	/**
	 * A claim, or {@code null}.
	 */
	public Claim next() {
		return this.thread.call(() -> {
			Claim claim = this.claims.next();
			return (claim != null) ? this.thread.bind(claim) : null;
		});
	}

	/**
	 * The worker does not claim again at once.
	 */
	public Duration rest() {
		return this.thread.call(this.claims::rest);
	}

	/**
	 * The worker ends.
	 */
	public void end() {
		this.thread.call(() -> {
			this.claims.end();
			return true;
		});
		abandon();
	}

	/**
	 * The thread of the worker ends, in whatever it does.
	 */
	void abandon() {
		this.thread.end();
	}

	public Claims claims() {
		return this.claims;
	}

	public JdbcRelayStore store() {
		return this.store;
	}

	public OutboxDatabase database() {
		return this.store.database();
	}

	/**
	 * Claim and complete once.
	 * @return what was claimed
	 */
	public List<Long> completeNext() {
		try (Claim claim = next()) {
			List<Long> ids = ids(claim);
			claim.complete(ids, List.of());
			return ids;
		}
	}

	/**
	 * Claim and complete until there is nothing left, or too often.
	 */
	public List<List<StoredMessage>> drain(int maxClaims) {
		List<List<StoredMessage>> batches = new ArrayList<>();
		for (int count = 0; count < maxClaims; count++) {
			try (Claim claim = next()) {
				if (claim == null) {
					break;
				}
				batches.add(claim.sequences().stream().flatMap((sequence) -> sequence.messages().stream()).toList());
				claim.complete(ids(claim), List.of());
			}
		}
		rest();
		return batches;
	}

	/**
	 * Statements on the connection of the claim, while there is one.
	 */
	public JdbcClient jdbc() {
		return JdbcClient.create(this.ofClaims);
	}

	public long connectionId() {
		return this.thread.call(() -> jdbc().sql("SELECT CONNECTION_ID()").query(Long.class).single());
	}

	/**
	 * Close the socket without a word, as the end of the process would.
	 */
	public void abort() {
		this.thread.call(() -> new JdbcTemplate(this.ofClaims).execute((Connection connection) -> {
			connection.unwrap(Connection.class).abort(Runnable::run);
			return true;
		}));
	}

	public static List<Long> ids(Claim claim) {
		return claim.sequences()
			.stream()
			.flatMap((sequence) -> sequence.messages().stream())
			.map(StoredMessage::id)
			.toList();
	}

	public static List<String> keys(Claim claim) {
		return claim.sequences()
			.stream()
			.map((sequence) -> sequence.messages().get(0).message().partitionKey())
			.toList();
	}

}
