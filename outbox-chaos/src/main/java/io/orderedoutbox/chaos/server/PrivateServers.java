/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.server;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

import javax.sql.DataSource;

import io.orderedoutbox.chaos.time.Waiting;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.util.Assert;

/**
 * A database and a RabbitMQ of the suite's own. They begin empty, and end with this
 * object or with the JVM.
 */
public final class PrivateServers implements ControlledServers {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final String SCHEMA = "chaos";

	static final String USER = "outbox";

	private static final String HOST = "127.0.0.1";

	private static final String CLOSE_CONNECTIONS = """
			[rabbit_networking:close_connection(proplists:get_value(pid, C), "closed by the chaos suite") \
			|| C <- rabbit_networking:connection_info_all([pid, client_properties]), \
			{<<"connection_name">>, _, N} <- proplists:get_value(client_properties, C), \
			lists:prefix("%s", binary_to_list(N))].""";

	private final ServicesScript script;

	private final ServerPlace place;

	private final DatabaseKind kind;

	private final DatabaseWords words;

	private final PrivateDatabase database;

	private boolean closed;

	private PrivateServers(ServerPlace place, DatabaseKind kind) {
		this.place = place;
		this.kind = kind;
		this.words = kind.words();
		this.script = new ServicesScript(place.script(), place.variables());
		this.database = kind.in(this.script, place.databasePort());
	}

	/**
	 * Start the servers.
	 * @param place where they live; none may run there
	 * @param kind what the database is
	 * @return the running servers
	 * @throws IllegalStateException if servers run there that somebody else started
	 */
	public static PrivateServers start(ServerPlace place, DatabaseKind kind) {
		PrivateServers servers = new PrivateServers(place, kind);
		servers.requireNobody("mysql");
		servers.requireNobody("postgresql");
		servers.requireNobody("rabbitmq");
		Runtime.getRuntime().addShutdownHook(new Thread(servers::close, "servers-stop"));
		servers.script.run("up", "rabbitmq");
		servers.database.start();
		servers.empty();
		return servers;
	}

	private void requireNobody(String service) {
		Assert.state(!this.script.succeeds("status", service),
				() -> "A %s that this run did not start is running in %s: stop it with 'OUTBOX_SERVICES_DIR=%s scripts/services down'"
					.formatted(service, this.place.directory(), this.place.directory()));
	}

	private void empty() {
		JdbcClient database = JdbcClient.create(administration((this.kind == DatabaseKind.POSTGRESQL) ? USER : ""));
		List<String> schemas = database.sql(this.words.schemas()).query(String.class).list();
		schemas.forEach((schema) -> database.sql(this.words.dropSchema(schema)).update());
		database.sql(this.words.createSchema(SCHEMA)).update();
		brokerControl("delete_vhost", "/");
		brokerControl("add_vhost", "/");
		brokerControl("set_permissions", "-p", "/", brokerUser(), ".*", ".*", ".*");
	}

	@Override
	public String jdbcUrl() {
		return url(SCHEMA);
	}

	private String url(String schema) {
		return this.words.url(HOST, this.database.port(), schema);
	}

	@Override
	public String databaseUser() {
		return USER;
	}

	@Override
	public String databasePassword() {
		return USER;
	}

	@Override
	public DataSource administration() {
		return administration(SCHEMA);
	}

	@Override
	public DataSource administration(String schema) {
		return new DriverManagerDataSource(this.words.administration(url(schema)), this.kind.administrator(), "");
	}

	@Override
	public String brokerHost() {
		return HOST;
	}

	@Override
	public int brokerPort() {
		return this.place.brokerPort();
	}

	@Override
	public String brokerUser() {
		return "guest";
	}

	@Override
	public String brokerPassword() {
		return "guest";
	}

	@Override
	public void killDatabase() {
		this.database.kill();
	}

	@Override
	public void startDatabase() {
		this.database.start();
	}

	@Override
	public void killBroker() {
		this.script.run("kill", "rabbitmq");
	}

	@Override
	public void startBroker() {
		this.script.run("up", "rabbitmq");
	}

	@Override
	public void stopBrokerNode() {
		brokerControl("stop_app");
	}

	@Override
	public void startBrokerNode() {
		brokerControl("start_app");
		brokerControl("await_startup", "--timeout", String.valueOf(PATIENCE.toSeconds()));
	}

	@Override
	public void closeBrokerConnections(String nameBeginsWith) {
		brokerControl("eval", CLOSE_CONNECTIONS.formatted(nameBeginsWith));
	}

	@Override
	public void killDatabaseConnections(Duration pause) {
		JdbcClient administrator = JdbcClient.create(administration());
		List<Long> connections = administrator.sql(this.words.connections()).param(USER).query(Long.class).list();
		for (Long connection : connections) {
			killConnection(connection);
			Waiting.sleep(pause);
		}
	}

	private void killConnection(long id) {
		try (Connection connection = administration().getConnection(); Statement kill = connection.createStatement()) {
			kill.execute(this.words.kill(id));
		}
		catch (SQLException ex) {
			Assert.state(this.words.isGone(ex),
					() -> "Connection %d could not be killed: %s".formatted(id, ex.getMessage()));
		}
	}

	@Override
	public void memoryAlarm(boolean on) {
		brokerControl("set_vm_memory_high_watermark", on ? "0" : "0.6");
		Waiting.until("the memory alarm is " + (on ? "raised" : "over"), PATIENCE, () -> isAlarmed() == on);
	}

	private boolean isAlarmed() {
		return brokerControl("eval", "rabbit_alarm:get_local_alarms().").contains("memory");
	}

	@Override
	public String brokerControl(String... arguments) {
		String[] command = new String[arguments.length + 2];
		command[0] = "ctl";
		command[1] = "--quiet";
		System.arraycopy(arguments, 0, command, 2, arguments.length);
		return this.script.run(command);
	}

	@Override
	public synchronized void close() {
		if (!this.closed) {
			this.closed = true;
			this.database.stop();
			this.script.run("down", "rabbitmq");
		}
	}

}
