/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.fault;

import java.time.Duration;
import java.util.List;

import io.orderedoutbox.chaos.process.ConsumerProcess;
import io.orderedoutbox.chaos.process.RelayProcess;
import io.orderedoutbox.chaos.process.WriterProcess;
import io.orderedoutbox.chaos.server.ControlledServers;
import io.orderedoutbox.chaos.server.DatabaseWords;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What faults happen to.
 */
public interface World {

	/**
	 * Return the relays. A fault leaves each of them running and ready.
	 * @return the relays, always the same
	 */
	List<RelayProcess> relays();

	/**
	 * Return the writers. A fault leaves each of them running and ready.
	 * @return the writers, always the same
	 */
	List<WriterProcess> writers();

	/**
	 * Return the consumers. A fault leaves each of them running and ready.
	 * @return the consumers, always the same; none where a recorder takes what arrives
	 */
	List<ConsumerProcess> consumers();

	/**
	 * Make one more consumer, which is not started yet and belongs to the caller.
	 * @param name the name of the process
	 * @return the consumer, to be closed
	 */
	ConsumerProcess newConsumer(String name);

	/**
	 * Make one more relay, which is not started yet and belongs to the caller.
	 * @param name the name of the process
	 * @param jdbcUrl the database that it relays from
	 * @return the relay, to be closed
	 */
	RelayProcess newRelay(String name, String jdbcUrl);

	/**
	 * Return the servers.
	 * @return database and broker
	 */
	ControlledServers servers();

	/**
	 * Return what messages pass in the broker.
	 * @return exchanges, bindings and queue
	 */
	Topology topology();

	/**
	 * Return a way to the outbox's schema that is not cut together with the relays'. It
	 * opens a connection for each statement.
	 * @return an administrator's client
	 */
	JdbcClient jdbc();

	/**
	 * Return the name of the outbox's schema.
	 * @return what {@link ControlledServers#administration(String)} takes
	 */
	String schema();

	/**
	 * Return how the suite's own statements are written.
	 * @return the words of the database
	 */
	DatabaseWords words();

	/**
	 * Return after how long the claims of a host that vanished are free.
	 * @return {@code outbox.relay.lock-timeout} of every relay
	 */
	Duration lockTimeout();

	/**
	 * Return after how long the broker gives up a consumer that says nothing, at most.
	 * @return more than twice {@code spring.rabbitmq.requested-heartbeat} of every
	 * consumer
	 */
	Duration silenceTimeout();

	/**
	 * Return how long a relay waits for a confirm.
	 * @return {@code outbox.relay.confirm-timeout} of every relay
	 */
	Duration confirmTimeout();

}
