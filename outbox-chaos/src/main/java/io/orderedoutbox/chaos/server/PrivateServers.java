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

	private static final int NO_SUCH_CONNECTION = 1094;

	private static final String SCHEMA = "chaos";

	private static final String USER = "outbox";

	private static final String HOST = "127.0.0.1";

	private static final String CLOSE_CONNECTIONS = """
			[rabbit_networking:close_connection(proplists:get_value(pid, C), "closed by the chaos suite") \
			|| C <- rabbit_networking:connection_info_all([pid, client_properties]), \
			{<<"connection_name">>, _, N} <- proplists:get_value(client_properties, C), \
			lists:prefix("%s", binary_to_list(N))].""";

	private final ServicesScript script;

	private final ServerPlace place;

	private final PrivateDatabase database;

	private boolean closed;

	private PrivateServers(ServerPlace place, boolean mariaDb) {
		this.place = place;
		this.script = new ServicesScript(place.script(), place.variables());
		this.database = mariaDb ? new PrivateMariaDb() : new PrivateMySql(this.script, place.databasePort());
	}

	/**
	 * Start the servers.
	 * @param place where they live; none may run there
	 * @param mariaDb whether the database is a MariaDB, instead of a MySQL
	 * @return the running servers
	 * @throws IllegalStateException if servers run there that somebody else started
	 */
	public static PrivateServers start(ServerPlace place, boolean mariaDb) {
		PrivateServers servers = new PrivateServers(place, mariaDb);
		servers.requireNobody("mysql");
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
		JdbcClient database = JdbcClient.create(dataSource("", "root", ""));
		List<String> schemas = database
			.sql("SELECT schema_name FROM information_schema.schemata "
					+ "WHERE schema_name NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema')")
			.query(String.class)
			.list();
		schemas.forEach((schema) -> database.sql("DROP DATABASE `" + schema + "`").update());
		database.sql("CREATE DATABASE " + SCHEMA + " CHARACTER SET utf8mb4").update();
		brokerControl("delete_vhost", "/");
		brokerControl("add_vhost", "/");
		brokerControl("set_permissions", "-p", "/", brokerUser(), ".*", ".*", ".*");
	}

	@Override
	public String jdbcUrl() {
		return url(SCHEMA);
	}

	private String url(String schema) {
		return "jdbc:mysql://%s:%d/%s?sslMode=DISABLED&allowPublicKeyRetrieval=true".formatted(HOST,
				this.database.port(), schema);
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
		return dataSource(SCHEMA, "root", "");
	}

	private DataSource dataSource(String schema, String user, String password) {
		return new DriverManagerDataSource(url(schema), user, password);
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
		List<Long> connections = administrator
			.sql("SELECT id FROM information_schema.processlist WHERE user = ? ORDER BY RAND()")
			.param(USER)
			.query(Long.class)
			.list();
		for (Long connection : connections) {
			killConnection(connection);
			Waiting.sleep(pause);
		}
	}

	private void killConnection(long id) {
		try (Connection connection = administration().getConnection(); Statement kill = connection.createStatement()) {
			kill.execute("KILL " + id);
		}
		catch (SQLException ex) {
			Assert.state(ex.getErrorCode() == NO_SUCH_CONNECTION,
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
