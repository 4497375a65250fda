package io.orderedoutbox.jdbc;

import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.orderedoutbox.OutboxConfigurationException;

/**
 * The databases that the outbox works on, told apart by their version: with MySQL's
 * driver both call themselves MySQL.
 */
public enum Dialect {

	/**
	 * MySQL. 8.0.17 is the first with a binary collation that does not pad.
	 */
	MYSQL("MySQL", 8_000_017, "transaction_isolation") {

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
	 * calls the isolation as MySQL does; the old name, deprecated since, is the one that
	 * all versions know.
	 * <p>
	 * Its snapshots are taken without a latch, so that one can show a transaction and
	 * miss another that committed before it.
	 */
	MARIADB("MariaDB", 10_006_000, "tx_isolation") {

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

	Dialect(String product, int oldestVersion, String isolation) {
		this.product = product;
		this.oldestVersion = oldestVersion;
		this.limitSession = """
				SET @outbox_wait_timeout = @@SESSION.wait_timeout, @outbox_isolation = @@SESSION.%1$s,
				@outbox_select_limit = @@SESSION.sql_select_limit, SESSION wait_timeout = ?,
				SESSION %1$s = 'READ-COMMITTED', SESSION sql_select_limit = 18446744073709551615"""
			.formatted(isolation);
		this.restoreSession = """
				SET SESSION wait_timeout = @outbox_wait_timeout, SESSION %s = @outbox_isolation,
				SESSION sql_select_limit = @outbox_select_limit, @outbox_wait_timeout = NULL, @outbox_isolation = NULL,
				@outbox_select_limit = NULL""".formatted(isolation);
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
	 * Has a session wait for its next statement for so many seconds, its parameter, run
	 * its transactions at READ COMMITTED, and return all rows of a query. The statement
	 * keeps what the session had in variables of the session.
	 */
	String limitSession() {
		return this.limitSession;
	}

	/**
	 * Gives a session back what it had before that, once: a session that has kept nothing
	 * refuses it.
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
