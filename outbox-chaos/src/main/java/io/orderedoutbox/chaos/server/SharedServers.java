/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.server;

import java.time.Duration;

import javax.sql.DataSource;

import io.orderedoutbox.servers.Broker;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * The servers that tests use. Others use them as well: nothing can be done to them.
 */
public final class SharedServers implements ControlledServers {

	private final Database database = Servers.database();

	private final Broker broker = Servers.broker();

	@Override
	public String jdbcUrl() {
		String url = this.database.jdbcUrl();
		return url.contains("?") ? url : url + "?";
	}

	@Override
	public String databaseUser() {
		return this.database.username();
	}

	@Override
	public String databasePassword() {
		return this.database.password();
	}

	@Override
	public DataSource administration() {
		return new DriverManagerDataSource(jdbcUrl(), databaseUser(), databasePassword());
	}

	@Override
	public DataSource administration(String schema) {
		return new DriverManagerDataSource(DatabaseWords.urlOf(jdbcUrl(), schema), databaseUser(), databasePassword());
	}

	@Override
	public String brokerHost() {
		return this.broker.host();
	}

	@Override
	public int brokerPort() {
		return this.broker.port();
	}

	@Override
	public String brokerUser() {
		return this.broker.username();
	}

	@Override
	public String brokerPassword() {
		return this.broker.password();
	}

	@Override
	public void killDatabase() {
		throw refused();
	}

	@Override
	public void startDatabase() {
		throw refused();
	}

	@Override
	public void killBroker() {
		throw refused();
	}

	@Override
	public void startBroker() {
		throw refused();
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
		throw refused();
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
		return new IllegalStateException("These servers are shared: use private ones for that");
	}

	@Override
	public void close() {
		// They go on without us
	}

}
