/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.dialect;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.orderedoutbox.OutboxConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionDefinition;

/**
 * The databases that the outbox works on, told apart by their version: with MySQL's
 * driver MySQL and MariaDB both call themselves MySQL.
 */
@SuppressWarnings("ImmutableEnumChecker") // all of it are records of texts
public enum Dialect {

	/**
	 * MySQL. 8.0.17 is the first with a binary collation that does not pad.
	 */
	MYSQL("MySQL", 8_000_017,
			new ServerLanguage(new MySqlFragments("@@server_uuid", true), new MySqlQuestions("@@server_uuid"),
					MySqlSettings.of("transaction_isolation", "transaction_read_only", "max_execution_time"), null)),

	/**
	 * MariaDB. 10.6 is the first with SKIP LOCKED and JSON_TABLE. 11.1 is the first that
	 * calls isolation and read-only transactions as MySQL does; the old names, deprecated
	 * since, are those that all versions know.
	 */
	MARIADB("MariaDB", 10_006_000,
			new ServerLanguage(new MySqlFragments("@@server_id", false), new MySqlQuestions("@@hostname, @@port"),
					MySqlSettings.of("tx_isolation", "tx_read_only", "max_statement_time"),
					MySqlSettings.ofTimeLimit("max_statement_time"))),

	/**
	 * PostgreSQL. 14 is the oldest that its makers still maintain.
	 */
	POSTGRESQL("PostgreSQL", 14_000_000,
			new ServerLanguage(new PostgreSqlFragments(), new PostgreSqlQuestions(), PostgreSqlSettings.ofSession(),
					PostgreSqlSettings.ofTimeLimit())),

	/**
	 * H2, for tests of applications. 2.4 is the first that turns a list of JSON into
	 * rows.
	 */
	H2("H2", 2_004_000,
			new ServerLanguage(new H2Fragments(), new H2Questions(), H2Settings.ofSession(), H2Settings.ofTimeLimit()));

	// Of PostgreSQL two numbers, and before a release a word
	private static final Pattern VERSION = Pattern.compile("(\\d+)(?:\\.(\\d+))?(?:\\.(\\d+))?");

	private static final Pattern MODE = Pattern.compile(" H2 in mode (\\w+)$");

	// What old replicas and some proxies put before the version of MariaDB
	private static final String REPLICATION_PREFIX = "5.5.5-";

	// They speak the language of another database, and do not lock as it does
	private static final List<String> LOOKALIKES = List.of("TiDB", "Vitess", "Dolt", "OceanBase", "SingleStore",
			"CockroachDB", "-YB-", "Greenplum", "Redshift", "Materialize", "QuestDB", "CrateDB");

	// Some of them tell their own name only in the comment
	private static final String MYSQL_VERSION = "SELECT CONCAT(VERSION(), ' ', @@version_comment)";

	// What H2 says of itself has no name in it. What a URL sets it may say twice
	private static final String H2_VERSION = "SELECT H2VERSION() || ' H2 in mode ' || MAX(setting_value) "
			+ "FROM information_schema.settings WHERE setting_name = 'MODE'";

	// In the others a text of no characters is NULL, a limit is none, or times mean
	// something else
	private static final List<String> H2_MODES = List.of("REGULAR", "LEGACY", "MYSQL", "MARIADB", "POSTGRESQL");

	private final String product;

	private final int oldestVersion;

	private final ServerLanguage language;

	Dialect(String product, int oldestVersion, ServerLanguage language) {
		this.product = product;
		this.oldestVersion = oldestVersion;
		this.language = language;
	}

	/**
	 * What fills the gaps in the statements.
	 */
	public SqlFragments sql() {
		return this.language.sql();
	}

	/**
	 * What the server is asked when the application starts.
	 */
	public ServerQuestions questions() {
		return this.language.questions();
	}

	/**
	 * What the sessions of the library are set to.
	 */
	public SessionSettings session() {
		return this.language.session();
	}

	/**
	 * What keeps a session from giving up statements, or {@code null} where each
	 * statement says itself how long it may take.
	 */
	public @Nullable SessionSettings timeLimit() {
		return this.language.timeLimit();
	}

	/**
	 * Whether a plain read sees transactions in the order of their commits. The snapshots
	 * of MariaDB are taken without a latch, so that one can show a transaction and miss
	 * another that committed before it.
	 */
	public boolean hasAtomicSnapshots() {
		return this != MARIADB;
	}

	/**
	 * Whether an error of a statement undoes the statement alone. Elsewhere it leaves
	 * nothing to do in the transaction but to roll back, all of it or to a savepoint; and
	 * a setting of the session belongs to the transaction in which it was made.
	 */
	public boolean undoesStatementsAlone() {
		return this == MYSQL || this == MARIADB;
	}

	/**
	 * Whether it is an error to release a savepoint that is gone.
	 */
	public boolean knowsWhichSavepointsAreGone() {
		return this != H2;
	}

	/**
	 * End a connection, unless it is closed. The driver of H2 does nothing when it is
	 * told to abort: there the connection behind that of a pool is closed.
	 */
	public void abort(Connection connection) throws SQLException {
		if (!connection.isClosed()) {
			connection.abort(Runnable::run);
		}
		if (this == H2 && !connection.isClosed()) {
			connection.unwrap(Connection.class).close();
		}
	}

	/**
	 * The isolation of a transaction that only looks. At SERIALIZABLE a plain read locks
	 * on MySQL and MariaDB. On PostgreSQL it does not, and the statement of a pool may
	 * have begun a transaction whose isolation cannot be changed any more.
	 */
	public int isolationOfLooks() {
		return (this != POSTGRESQL) ? TransactionDefinition.ISOLATION_READ_COMMITTED
				: TransactionDefinition.ISOLATION_DEFAULT;
	}

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
	public static void requireSupported(DatabaseMetaData database) throws SQLException {
		String product = String.valueOf(database.getDatabaseProductName());
		if (Stream.of(values()).noneMatch((known) -> containsName(product, known.platform()))) {
			throw unsupported("%s version '%s'".formatted(product, database.getDatabaseProductVersion()));
		}
	}

	private static OutboxConfigurationException unsupported(String database) {
		return new OutboxConfigurationException("The outbox does not work on %s.".formatted(database),
				"Use MySQL 8.0.17 or newer, MariaDB 10.6 or newer, or PostgreSQL 14 or newer, and in tests also H2 2.4 or newer: correct spring.datasource.url, or mark the DataSource that leads there with @OutboxDataSource. Without such a database, set outbox.enabled=false.");
	}

	/**
	 * Ask a database what its version is: {@link #of} knows by that what it speaks.
	 */
	public static String version(JdbcTemplate jdbc) {
		String product = jdbc.execute((Connection connection) -> connection.getMetaData().getDatabaseProductName());
		String question = H2.product.equals(product) ? H2_VERSION
				: containsName(String.valueOf(product), POSTGRESQL.platform()) ? "SELECT VERSION()" : MYSQL_VERSION;
		return String.valueOf(jdbc.queryForObject(question, String.class));
	}

	/**
	 * Return the dialect of a server.
	 * @param version what the server calls its version
	 * @return the dialect
	 */
	public static Dialect of(String version) {
		LOOKALIKES.stream().filter((known) -> containsName(version, known)).findFirst().ifPresent((lookalike) -> {
			throw unsupported(
					"%s version '%s'".formatted(lookalike.equals("-YB-") ? "YugabyteDB" : lookalike, version));
		});
		Matcher mode = MODE.matcher(version);
		Dialect dialect = mode.find() ? H2
				: Stream.of(MARIADB, POSTGRESQL)
					.filter((known) -> containsName(version, known.platform()))
					.findFirst()
					.orElse(MYSQL);
		if (dialect == H2 && !H2_MODES.contains(mode.group(1).toUpperCase(Locale.ROOT))) {
			throw new OutboxConfigurationException(
					"The outbox does not work on H2 in mode %s: texts, times or limits mean something else there."
						.formatted(mode.group(1)),
					"Remove MODE=%s from the URL of the DataSource, or make it MySQL, MariaDB or PostgreSQL."
						.formatted(mode.group(1)));
		}
		Matcher matcher = VERSION
			.matcher(version.startsWith(REPLICATION_PREFIX) ? version.substring(REPLICATION_PREFIX.length()) : version);
		if (!matcher.find() || number(matcher) < dialect.oldestVersion) {
			throw unsupported("%s version '%s'".formatted(dialect.product, version));
		}
		return dialect;
	}

	private static boolean containsName(String version, String name) {
		return version.toLowerCase(Locale.ROOT).contains(name.toLowerCase(Locale.ROOT));
	}

	private static int number(Matcher version) {
		return part(version, 1) * 1_000_000 + part(version, 2) * 1_000 + part(version, 3);
	}

	private static int part(Matcher version, int part) {
		return Integer.parseInt(Objects.requireNonNullElse(version.group(part), "0"));
	}

}
