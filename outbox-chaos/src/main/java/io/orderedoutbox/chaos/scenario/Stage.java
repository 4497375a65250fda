/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.scenario;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.orderedoutbox.chaos.process.RelayProcess;
import io.orderedoutbox.chaos.process.Site;
import io.orderedoutbox.chaos.server.ControlledServers;
import io.orderedoutbox.chaos.server.DatabaseWords;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * What a scenario plays on: a schema, an exchange with a queue, and relays.
 */
final class Stage implements AutoCloseable {

	private final ControlledServers servers;

	private final Path directory;

	private final String name;

	private final ConnectionFactory brokers = new ConnectionFactory();

	private final Arrivals arrivals;

	private final Backlog backlog;

	private final List<RelayProcess> relays = new ArrayList<>();

	Stage(ControlledServers servers, Path directory, String name) throws IOException, TimeoutException {
		this.servers = servers;
		this.directory = Files.createDirectories(directory.resolve(name));
		this.name = name;
		JdbcClient.create(servers.administration()).sql("CREATE DATABASE " + name).update();
		this.brokers.setHost(servers.brokerHost());
		this.brokers.setPort(servers.brokerPort());
		this.brokers.setUsername(servers.brokerUser());
		this.brokers.setPassword(servers.brokerPassword());
		this.brokers.setAutomaticRecoveryEnabled(false);
		try (Connection connection = this.brokers.newConnection("stage");
				Channel channel = connection.createChannel()) {
			channel.exchangeDeclare(name, BuiltinExchangeType.TOPIC, true);
			channel.queueDeclare(name, true, false, false, null);
			channel.queueBind(name, name, "#");
		}
		this.backlog = new Backlog(
				new DriverManagerDataSource(jdbcUrl(), servers.databaseUser(), servers.databasePassword()), name);
		this.arrivals = new Arrivals(this.brokers, name);
	}

	private String jdbcUrl() {
		return DatabaseWords.urlOf(this.servers.jdbcUrl(), this.name);
	}

	ControlledServers servers() {
		return this.servers;
	}

	Arrivals arrivals() {
		return this.arrivals;
	}

	Backlog backlog() {
		return this.backlog;
	}

	/**
	 * Starts a relay with the outbox's own defaults and a few exceptions.
	 */
	RelayProcess startRelay(String relay, Map<String, String> exceptions) {
		Map<String, String> properties = new HashMap<>(
				Map.of("outbox.ordered", "true", "outbox.jdbc.initialize-schema", "always"));
		properties.putAll(exceptions);
		RelayProcess process = new RelayProcess(this.name + "-" + relay,
				new Site(this.directory, this.servers, jdbcUrl(), properties));
		this.relays.add(process);
		process.restart();
		return process;
	}

	/**
	 * What the relays should not have done.
	 */
	List<String> misdeeds() {
		return this.relays.stream().flatMap((relay) -> relay.misdeeds().stream()).toList();
	}

	@Override
	public void close() throws IOException, TimeoutException {
		this.relays.forEach(RelayProcess::close);
		this.arrivals.close();
		JdbcClient.create(this.servers.administration()).sql("DROP DATABASE " + this.name).update();
		try (Connection connection = this.brokers.newConnection("stage");
				Channel channel = connection.createChannel()) {
			channel.queueDelete(this.name);
			channel.exchangeDelete(this.name);
		}
	}

}
