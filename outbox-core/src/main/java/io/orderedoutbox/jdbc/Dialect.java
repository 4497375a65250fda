package io.orderedoutbox.jdbc;

import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.orderedoutbox.OutboxConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * The databases that the outbox works on, told apart by their version: with MySQL's
 * driver both call themselves MySQL.
 */
public enum Dialect {

	/**
	 * MySQL. 8.0.17 is the first with a binary collation that does not pad.
	 */
	MYSQL("MySQL", 8_000_017,
			SessionSettings.of("transaction_isolation", "transaction_read_only", "max_execution_time")) {

		@Override
		public String lockOf(String alias) {
			return "FOR UPDATE OF " + alias;
		}

		@Override
		public boolean hasAtomicSnapshots() {
			return true;
		}

	},

	/**
	 * MariaDB. 10.6 is the first with SKIP LOCKED and JSON_TABLE. 11.1 is the first that
	 * calls isolation and read-only transactions as MySQL does; the old names, deprecated
	 * since, are those that all versions know.
	 * <p>
	 * Its snapshots are taken without a latch, so that one can show a transaction and
	 * miss another that committed before it.
	 */
	MARIADB("MariaDB", 10_006_000, SessionSettings.of("tx_isolation", "tx_read_only", "max_statement_time")) {

		@Override
		public String lockOf(String alias) {
			return "FOR UPDATE";
		}

		@Override
		public boolean hasAtomicSnapshots() {
			return false;
		}

	};

	private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+)");

	// What old replicas and some proxies put before the version of MariaDB
	private static final String REPLICATION_PREFIX = "5.5.5-";

	private final String product;

	private final int oldestVersion;

	private final String limitSession;

	private final String restoreSession;

	Dialect(String product, int oldestVersion, SessionSettings sessionSettings) {
		this.product = product;
		this.oldestVersion = oldestVersion;
		this.limitSession = sessionSettings.apply();
		this.restoreSession = sessionSettings.restore();
	}

	/**
	 * The locking clause for the one table of a join that is to be locked.
	 */
	public abstract String lockOf(String alias);

	/**
	 * What tells one server from another.
	 */
	public String server() {
		return (this == MYSQL) ? "@@server_uuid" : "@@server_id";
	}

	/**
	 * A statement with a list as JSON, for a session of the application. Where that
	 * speaks bytes only ({@code SET NAMES binary}), MySQL takes text that does not say in
	 * which character set it is for bytes, which are neither JSON nor a path in it.
	 * MariaDB does not, and takes no path that says so.
	 */
	String inAnySession(String statement) {
		return (this == MYSQL)
				? statement.replace("JSON_TABLE(?", "JSON_TABLE(CONVERT(? USING utf8mb4)").replace("'$", "_utf8mb4'$")
				: statement;
	}

	/**
	 * What tells a server from any other, whichever of the two has copied the other.
	 */
	String identity() {
		return (this == MYSQL) ? "@@server_uuid" : "@@hostname, @@port";
	}

	/**
	 * What keeps a session from giving up statements, or {@code null} where each
	 * statement says itself how long it may take.
	 */
	@Nullable SessionSettings timeLimit() {
		return (this == MYSQL) ? null : SessionSettings.ofTimeLimit("max_statement_time");
	}

	/**
	 * {@link SessionSettings#apply}.
	 */
	String limitSession() {
		return this.limitSession;
	}

	/**
	 * {@link SessionSettings#restore}.
	 */
	String restoreSession() {
		return this.restoreSession;
	}

	/**
	 * Whether a plain read sees transactions in the order of their commits.
	 */
	public abstract boolean hasAtomicSnapshots();

	/**
	 * The name of the platform in the location of a script.
	 */
	public String platform() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Refuse any database that speaks another language, before it is asked anything that
	 * it may not understand.
	 */
	static void requireSupported(DatabaseMetaData database) throws SQLException {
		String product = String.valueOf(database.getDatabaseProductName());
		if (Stream.of(values()).noneMatch((known) -> product.toLowerCase(Locale.ROOT).contains(known.platform()))) {
			throw unsupported("%s version '%s'".formatted(product, database.getDatabaseProductVersion()));
		}
	}

	private static OutboxConfigurationException unsupported(String database) {
		return new OutboxConfigurationException("The outbox does not work on %s.".formatted(database),
				"Use MySQL 8.0.17 or newer, or MariaDB 10.6 or newer: correct spring.datasource.url, or mark the DataSource that leads there with @OutboxDataSource. Without such a database, set outbox.enabled=false.");
	}

	static Dialect of(String version) {
		Dialect dialect = version.toLowerCase(Locale.ROOT).contains("mariadb") ? MARIADB : MYSQL;
		Matcher matcher = VERSION
			.matcher(version.startsWith(REPLICATION_PREFIX) ? version.substring(REPLICATION_PREFIX.length()) : version);
		if (!matcher.find() || number(matcher) < dialect.oldestVersion) {
			throw unsupported("%s version '%s'".formatted(dialect.product, version));
		}
		return dialect;
	}

	private static int number(Matcher version) {
		return Integer.parseInt(version.group(1)) * 1_000_000 + Integer.parseInt(version.group(2)) * 1_000
				+ Integer.parseInt(version.group(3));
	}

}
