package io.orderedoutbox.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A schema on a running MySQL, MariaDB or PostgreSQL.
 *
 * @param kind where the server comes from
 * @param jdbcUrl the URL, with the schema in it
 * @param username a user that may create schemas
 * @param password the user's password
 * @param version what the server calls its version
 */
public record Database(ServerKind kind, String jdbcUrl, String username, String password, String version) {

	private static final Pattern URL = Pattern.compile("(jdbc:[a-z:]+//[^/?]+)(?:/[^?]*)?(\\?.*)?");

	static Database connect(ServerKind kind, String jdbcUrl, String username, String password) {
		try (Connection connection = DriverManager.getConnection(jdbcUrl, username, password)) {
			String version = connection.getMetaData().getDatabaseProductVersion();
			return new Database(kind, jdbcUrl, username, password, version);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(
					"No database answers at " + jdbcUrl + " for user '" + username
							+ "': start it ('scripts/services up') or unset OUTBOX_MYSQL_URL and OUTBOX_POSTGRESQL_URL",
					ex);
		}
	}

	/**
	 * Whether this is MySQL, not MariaDB or PostgreSQL.
	 * @return {@code true} on MySQL
	 */
	public boolean isMySql() {
		return platform().equals("mysql");
	}

	/**
	 * Whether this is PostgreSQL.
	 * @return {@code true} on PostgreSQL
	 */
	public boolean isPostgreSql() {
		return platform().equals("postgresql");
	}

	/**
	 * The name of the database in the location of a script.
	 * @return mysql, mariadb or postgresql
	 */
	public String platform() {
		if (this.jdbcUrl.startsWith("jdbc:postgresql:")) {
			return "postgresql";
		}
		return this.version.toLowerCase(Locale.ROOT).contains("mariadb") ? "mariadb" : "mysql";
	}

	/**
	 * One of several, for this database.
	 * @param mysql for MySQL and MariaDB
	 * @param postgresql for PostgreSQL
	 * @return one of them
	 */
	public String choose(String mysql, String postgresql) {
		return isPostgreSql() ? postgresql : mysql;
	}

	/**
	 * The statement after which a session waits no longer for a lock.
	 * @param seconds for how long it waits
	 * @return the statement
	 */
	public String lockTimeout(int seconds) {
		return choose("SET SESSION innodb_lock_wait_timeout = " + seconds, "SET lock_timeout = '" + seconds + "s'");
	}

	/**
	 * The statement that ends a connection.
	 * @param connection its number
	 * @return the statement
	 */
	public String kill(long connection) {
		return choose("KILL ", "SELECT pg_terminate_backend(") + connection + choose("", ")");
	}

	/**
	 * Creates an empty schema with a name of its own on the same server. It is dropped
	 * when the JVM ends.
	 * @return the new schema
	 */
	public Database fresh() {
		String schema = "outbox_test_" + UUID.randomUUID().toString().replace("-", "");
		execute(choose("CREATE DATABASE " + schema + " CHARACTER SET utf8mb4", "CREATE SCHEMA " + schema));
		if (this.kind == ServerKind.ENVIRONMENT) {
			// the other servers go away with all that is in them
			ExitActions.add(() -> execute(
					choose("DROP DATABASE IF EXISTS " + schema, "DROP SCHEMA IF EXISTS " + schema + " CASCADE")));
		}
		Database fresh = new Database(this.kind, withSchema(this.jdbcUrl, schema), this.username, this.password,
				this.version);
		if (isPostgreSql()) {
			fresh.execute(words());
		}
		return fresh;
	}

	private static String words() {
		try (InputStream words = Objects.requireNonNull(Database.class.getResourceAsStream("words-postgresql.sql"))) {
			return new String(words.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void execute(String sql) {
		try (Connection connection = DriverManager.getConnection(this.jdbcUrl, this.username, this.password);
				Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
		catch (SQLException ex) {
			throw new IllegalStateException("'" + sql + "' failed at " + this.jdbcUrl + ": may user '" + this.username
					+ "' create and drop schemas?", ex);
		}
	}

	static String withSchema(String jdbcUrl, String schema) {
		if (jdbcUrl.startsWith("jdbc:postgresql:")) {
			return jdbcUrl + (jdbcUrl.contains("?") ? "&" : "?") + "currentSchema=" + schema;
		}
		Matcher url = URL.matcher(jdbcUrl);
		if (!url.matches()) {
			throw new IllegalStateException("'" + jdbcUrl
					+ "' is no URL of the form jdbc:mysql://host:port/schema?options: change OUTBOX_MYSQL_URL");
		}
		String options = url.group(2);
		return url.group(1) + "/" + schema + ((options != null) ? options : "");
	}

	String describe() {
		String name = Map.of("mysql", "MySQL ", "mariadb", "MariaDB ", "postgresql", "PostgreSQL ")
			.getOrDefault(platform(), "");
		return name + this.version.replace("-MariaDB", "") + " at " + this.jdbcUrl.replaceFirst("\\?.*", "");
	}

}
