/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.server;

import java.time.Duration;

import javax.sql.DataSource;

import io.orderedoutbox.servers.EmbeddedKafka;

/**
 * The database of other servers, and a Kafka of the suite's own as the broker.
 */
public final class KafkaServers implements ControlledServers {

	private final ControlledServers others;

	private final EmbeddedKafka kafka;

	private KafkaServers(ControlledServers others, EmbeddedKafka kafka) {
		this.others = others;
		this.kafka = kafka;
	}

	/**
	 * Start Kafka.
	 * @param others the servers whose database is used, and which end with these
	 * @return the running servers
	 */
	public static KafkaServers start(ControlledServers others) {
		return new KafkaServers(others, EmbeddedKafka.start());
	}

	/**
	 * Return the broker.
	 * @return Kafka
	 */
	public EmbeddedKafka kafka() {
		return this.kafka;
	}

	@Override
	public String jdbcUrl() {
		return this.others.jdbcUrl();
	}

	@Override
	public String databaseUser() {
		return this.others.databaseUser();
	}

	@Override
	public String databasePassword() {
		return this.others.databasePassword();
	}

	@Override
	public DataSource administration() {
		return this.others.administration();
	}

	@Override
	public DataSource administration(String schema) {
		return this.others.administration(schema);
	}

	@Override
	public String brokerHost() {
		return this.others.brokerHost();
	}

	@Override
	public int brokerPort() {
		return this.others.brokerPort();
	}

	@Override
	public String brokerUser() {
		return this.others.brokerUser();
	}

	@Override
	public String brokerPassword() {
		return this.others.brokerPassword();
	}

	@Override
	public void killDatabase() {
		this.others.killDatabase();
	}

	@Override
	public void startDatabase() {
		this.others.startDatabase();
	}

	@Override
	public void killBroker() {
		this.kafka.kill();
	}

	@Override
	public void startBroker() {
		this.kafka.restart();
	}

	@Override
	public void stopBrokerNode() {
		throw refused();
	}

	@Override
	public void startBrokerNode() {
		throw refused();
	}

	@Override
	public void closeBrokerConnections(String nameBeginsWith) {
		throw refused();
	}

	@Override
	public void killDatabaseConnections(Duration pause) {
		this.others.killDatabaseConnections(pause);
	}

	@Override
	public void memoryAlarm(boolean on) {
		throw refused();
	}

	@Override
	public String brokerControl(String... arguments) {
		throw refused();
	}

	private static IllegalStateException refused() {
		return new IllegalStateException("The broker is a Kafka: choose a fault that it can have");
	}

	@Override
	public void close() {
		this.kafka.close();
		this.others.close();
	}

}
