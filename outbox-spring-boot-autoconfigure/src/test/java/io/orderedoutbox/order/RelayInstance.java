/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.order;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.testing.OutboxApplication;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * An application that only relays, and whose connections can be taken from under it.
 */
final class RelayInstance implements AutoCloseable {

	private static final long NEARER = 5;

	private final int number;

	private final Database database;

	// None where the database is in this process
	private final @Nullable TcpProxy toDatabase;

	private final TcpProxy toBroker;

	private final OutboxApplication application;

	RelayInstance(int number, Database database, FuzzerSettings settings, Sabotage sabotage) {
		this.number = number;
		this.database = database;
		this.toDatabase = database.isH2() ? null : TcpProxy.to(database);
		this.toBroker = TcpProxy.toBroker();
		// Who has claimed a message later may well be nearer to the broker
		this.toBroker.delay(Duration.ofMillis(NEARER * (settings.relays() - number - 1)));
		this.application = OutboxApplication.on(database)
			.with("spring.datasource.url", url())
			.with("spring.datasource.hikari.connection-init-sql",
					"INSERT INTO fuzz_connection (id, relay) VALUES (CONNECTION_ID(), %d)".formatted(number))
			.with("spring.rabbitmq.host", this.toBroker.host())
			.with("spring.rabbitmq.port", this.toBroker.port())
			.with("outbox.relay.workers", settings.workers())
			.with("outbox.relay.batch-size", settings.batchSize())
			.with("outbox.relay.pipelined-keys", settings.pipelinedKeys())
			.with("outbox.relay.poll-interval", "20ms")
			.with("outbox.relay.confirm-timeout", "1s")
			.with("outbox.relay.lock-timeout", "2s")
			.with("outbox.retry.initial-interval", "50ms")
			.with("outbox.retry.max-interval", "200ms")
			.with(sabotage.relay())
			.start();
	}

	private String url() {
		TcpProxy proxy = this.toDatabase;
		return (proxy == null) ? this.database.jdbcUrl()
				: this.database.jdbcUrl().replaceFirst("//[^/]+", "//" + proxy.host() + ":" + proxy.port());
	}

	/**
	 * Let it lose the database, the broker, or both, or wait for one of them in vain.
	 */
	void die(Random random, JdbcClient jdbc) {
		switch (random.nextInt(6)) {
			case 0 -> loseDatabase(TcpProxy::reset, jdbc);
			case 1 -> this.toBroker.reset();
			case 2 -> kill(jdbc);
			case 3 -> loseDatabase(TcpProxy::freeze, jdbc);
			case 4 -> this.toBroker.freeze();
			default -> {
				loseDatabase(TcpProxy::reset, jdbc);
				this.toBroker.reset();
			}
		}
	}

	private void loseDatabase(Consumer<TcpProxy> loss, JdbcClient jdbc) {
		if (this.toDatabase != null) {
			loss.accept(this.toDatabase);
		}
		else {
			kill(jdbc);
		}
	}

	void thaw() {
		if (this.toDatabase != null) {
			this.toDatabase.thaw();
		}
		this.toBroker.thaw();
	}

	private void kill(JdbcClient jdbc) {
		List<Long> connections = jdbc.sql("SELECT id FROM fuzz_connection WHERE relay = ?")
			.param(this.number)
			.query(Long.class)
			.list();
		for (long connection : connections) {
			try {
				kill(jdbc, connection);
			}
			catch (DataAccessException ex) {
				// It is gone already
			}
			jdbc.sql("DELETE FROM fuzz_connection WHERE id = ?").param(connection).update();
		}
	}

	private void kill(JdbcClient jdbc, long connection) {
		if (this.database.isPostgreSql() || this.database.isH2()) {
			jdbc.sql(this.database.kill(connection)).query(Boolean.class).single();
		}
		else {
			jdbc.sql(this.database.kill(connection)).update();
		}
	}

	@Override
	public void close() {
		this.application.close();
		if (this.toDatabase != null) {
			this.toDatabase.close();
		}
		this.toBroker.close();
	}

}
