/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
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
 * A schema on a running MySQL, MariaDB or PostgreSQL, or an H2 in memory.
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
	 * Creates an H2 in memory, whatever database the tests use.
	 * @param options options of the URL, each after a semicolon
	 * @return an empty database, which ends with the JVM
	 */
	public static Database h2(String options) {
		Database database = connect(ServerKind.EMBEDDED,
				"jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1%s".formatted(name(), options), "sa", "");
		database.execute(database.words());
		return database;
	}

	/**
	 * Whether this is MySQL, not MariaDB, PostgreSQL or H2.
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
	 * Whether this is H2.
	 * @return {@code true} on H2
	 */
	public boolean isH2() {
		return platform().equals("h2");
	}

	/**
	 * The name of the database in the location of a script.
	 * @return mysql, mariadb, postgresql or h2
	 */
	public String platform() {
		if (this.jdbcUrl.startsWith("jdbc:h2:")) {
			return "h2";
		}
		if (this.jdbcUrl.startsWith("jdbc:postgresql:")) {
			return "postgresql";
		}
		return this.version.toLowerCase(Locale.ROOT).contains("mariadb") ? "mariadb" : "mysql";
	}

	/**
	 * One of several, for this database.
	 * @param mysql for MySQL and MariaDB
	 * @param postgresql for PostgreSQL
	 * @param h2 for H2
	 * @return one of them
	 */
	public String choose(String mysql, String postgresql, String h2) {
		return isH2() ? h2 : isPostgreSql() ? postgresql : mysql;
	}

	/**
	 * The same where H2 knows what PostgreSQL does.
	 * @param mysql for MySQL and MariaDB
	 * @param others for PostgreSQL and H2
	 * @return one of them
	 */
	public String choose(String mysql, String others) {
		return choose(mysql, others, others);
	}

	/**
	 * The statement after which a session waits no longer for a lock.
	 * @param seconds for how long it waits
	 * @return the statement
	 */
	public String lockTimeout(int seconds) {
		return choose("SET SESSION innodb_lock_wait_timeout = " + seconds, "SET lock_timeout = '" + seconds + "s'",
				"SET LOCK_TIMEOUT " + seconds * 1000);
	}

	/**
	 * The statement that ends a connection.
	 * @param connection its number
	 * @return the statement
	 */
	public String kill(long connection) {
		return choose("KILL ", "SELECT pg_terminate_backend(", "CALL ABORT_SESSION(") + connection + choose("", ")");
	}

	/**
	 * Creates an empty schema with a name of its own on the same server. It is dropped
	 * when the JVM ends.
	 * @return the new schema
	 */
	public Database fresh() {
		if (isH2()) {
			return h2(this.jdbcUrl.replaceFirst(".*DB_CLOSE_DELAY=-1", ""));
		}
		String schema = name();
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

	private static String name() {
		return "outbox_test_" + UUID.randomUUID().toString().replace("-", "");
	}

	private String words() {
		String name = "words-%s.sql".formatted(platform());
		try (InputStream words = Objects.requireNonNull(Database.class.getResourceAsStream(name))) {
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
		String name = Map.of("mysql", "MySQL ", "mariadb", "MariaDB ", "postgresql", "PostgreSQL ", "h2", "H2 ")
			.getOrDefault(platform(), "");
		return name + this.version.replace("-MariaDB", "") + " at " + this.jdbcUrl.replaceFirst("\\?.*", "");
	}

}
