package io.orderedoutbox.servers;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A schema on a running MySQL or MariaDB.
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
			throw new IllegalStateException("No database answers at " + jdbcUrl + " for user '" + username
					+ "': start it ('scripts/services up') or unset OUTBOX_MYSQL_URL", ex);
		}
	}

	/**
	 * Whether this is MySQL, not MariaDB.
	 * @return {@code true} on MySQL
	 */
	public boolean isMySql() {
		return !this.version.toLowerCase(Locale.ROOT).contains("mariadb");
	}

	/**
	 * Creates an empty schema with a name of its own on the same server. It is dropped
	 * when the JVM ends.
	 * @return the new schema
	 */
	public Database fresh() {
		String schema = "outbox_test_" + UUID.randomUUID().toString().replace("-", "");
		execute("CREATE DATABASE " + schema + " CHARACTER SET utf8mb4");
		if (this.kind == ServerKind.ENVIRONMENT) {
			// the other servers go away with all that is in them
			ExitActions.add(() -> execute("DROP DATABASE IF EXISTS " + schema));
		}
		return new Database(this.kind, withSchema(this.jdbcUrl, schema), this.username, this.password, this.version);
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
		Matcher url = URL.matcher(jdbcUrl);
		if (!url.matches()) {
			throw new IllegalStateException("'" + jdbcUrl
					+ "' is no URL of the form jdbc:mysql://host:port/schema?options: change OUTBOX_MYSQL_URL");
		}
		String options = url.group(2);
		return url.group(1) + "/" + schema + ((options != null) ? options : "");
	}

	String describe() {
		return (isMySql() ? "MySQL " : "MariaDB ") + this.version.replace("-MariaDB", "") + " at "
				+ this.jdbcUrl.replaceFirst("\\?.*", "");
	}

}
