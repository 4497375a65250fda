/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

import javax.sql.DataSource;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.jdbc.connection.LimitedSession;
import io.orderedoutbox.jdbc.dialect.Dialect;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.RequiresPostgreSql;
import io.orderedoutbox.servers.Servers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * What is different on PostgreSQL: settings that belong to transactions, and a server
 * that may be made or set up in a way in which no order can be kept.
 */
@RequiresPostgreSql
@ExtendWith(OutputCaptureExtension.class)
class PostgreSqlTests {

	private final OutboxTables tables = new OutboxTables();

	@AfterEach
	void close() {
		this.tables.close();
	}

	@Test
	void tablesAsTheScriptMakesThemAreAccepted(CapturedOutput output) {
		new SchemaCheck(this.tables.outbox()).run();
		assertThat(output).doesNotContain("not set up to survive a crash");
	}

	// A session would give messages the positions that it has taken for others before
	@ParameterizedTest
	@ValueSource(strings = { "SET CACHE 20", "SET INCREMENT -1", "SET CYCLE", "DROP IDENTITY" })
	void positionsThatDoNotCountUpOneByOneAreRefused(String change) {
		this.tables.jdbc().sql("ALTER TABLE outbox_message ALTER COLUMN id " + change).update();
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> new SchemaCheck(this.tables.outbox()).run())
			.withMessageContainingAll("outbox_message.id", "schema-postgresql.sql");
	}

	@ParameterizedTest
	@ValueSource(strings = { "message_id", "parked_key", "parked_due", "parked_delayed", "dead_letter_message",
			"dead_letter_key", "dead_letter_name" })
	void aMissingIndexIsFound(String index) {
		this.tables.jdbc().sql("DROP INDEX outbox_" + index).update();
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> new SchemaCheck(this.tables.outbox()).run())
			.withMessageContainingAll("has no index 'outbox_%s'".formatted(index), "schema-postgresql.sql");
	}

	@ParameterizedTest
	@ValueSource(strings = { "ALTER TABLE outbox_parked DROP COLUMN is_delayed",
			"ALTER TABLE outbox_parked DROP CONSTRAINT outbox_parked_pkey",
			"ALTER TABLE outbox_message DROP CONSTRAINT outbox_message_pkey, ADD PRIMARY KEY (id, lane)",
			"DROP INDEX outbox_parked_due; CREATE INDEX outbox_parked_due ON outbox_parked (available_at)",
			"CREATE COLLATION blurred (provider = icu, locale = 'und-u-ks-level2', deterministic = false); ALTER TABLE outbox_message ALTER COLUMN partition_key TYPE VARCHAR(255) COLLATE blurred" })
	void whatIsDifferentIsMadeGoodByTheStatementsThatAreNamed(String change) {
		JdbcTemplate jdbc = new JdbcTemplate(this.tables.writer());
		jdbc.execute(change);
		OutboxConfigurationException refused = catchThrowableOfType(OutboxConfigurationException.class,
				() -> new SchemaCheck(this.tables.outbox()).run());
		String remedy = refused.getRemedy();
		String statements = "The statements: ";
		jdbc.execute(remedy.substring(remedy.indexOf(statements) + statements.length()));
		new SchemaCheck(this.tables.outbox()).run();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aColumnIsAddedOnceTheTableIsNotInUse(boolean autoCommit) {
		this.tables.jdbc().sql("ALTER TABLE outbox_message DROP COLUMN last_error").update();
		SchemaCheck check = new SchemaCheck(this.tables.outbox());
		JdbcTemplate jdbc = new JdbcTemplate(
				autoCommit ? this.tables.withoutPool() : this.tables.connectionWithoutAutoCommit());
		JdbcTemplate other = new JdbcTemplate(this.tables.connectionWithoutAutoCommit());
		other.queryForList("SELECT id FROM outbox_message");
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(() -> check.addMissingColumns(jdbc))
			.withMessageContaining("a transaction has been using the table");
		other.execute("ROLLBACK");
		check.addMissingColumns(jdbc);
		check.run();
		assertThat(jdbc.queryForObject("SHOW lock_timeout", String.class)).isEqualTo("0");
	}

	@Test
	void aDatabaseThatCannotHoldAllTextsIsRefused() {
		Database database = Servers.database();
		JdbcTemplate server = new JdbcTemplate(dataSource(database.jdbcUrl()));
		String name = this.tables.name() + "_ascii";
		server.execute("CREATE DATABASE %s ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0".formatted(name));
		try {
			DataSource other = dataSource(database.jdbcUrl().replaceFirst("/\\w+(\\?.*)?$", "/" + name));
			new ResourceDatabasePopulator(new ClassPathResource("schema-postgresql.sql", OutboxTables.class))
				.execute(other);
			assertThatExceptionOfType(OutboxConfigurationException.class)
				.isThrownBy(() -> new SchemaCheck(new OutboxDatabase(other, "outbox_")).run())
				.withMessageContaining("its encoding is SQL_ASCII instead of UTF8");
		}
		finally {
			server.execute("DROP DATABASE %s WITH (FORCE)".formatted(name));
		}
	}

	private static DataSource dataSource(String url) {
		return new DriverManagerDataSource(url, Servers.database().username(), Servers.database().password());
	}

	@Test
	void commitsThatDoNotSurviveACrashAreToldOf(CapturedOutput output) {
		DataSource alone = this.tables.withoutPool();
		new JdbcTemplate(alone).execute("SET synchronous_commit = off");
		new SchemaCheck(new OutboxDatabase(alone, "outbox_")).run();
		assertThat(output).contains("not set up to survive a crash", "synchronous_commit=on");
	}

	@ParameterizedTest
	@ValueSource(strings = { "lock_timeout = '7s'", "statement_timeout = '9s'", "transaction_timeout = '30s'",
			"synchronous_commit = off", "idle_in_transaction_session_timeout = '11s'", "enable_hashjoin = off",
			"default_transaction_read_only = on", "default_transaction_isolation = 'serializable'",
			"TIME ZONE 'Asia/Tokyo'", "bytea_output = 'escape'" })
	void whateverTheApplicationHasSetASessionIsTheSameAndGivesItBack(String setting) {
		for (DataSource alone : new DataSource[] { this.tables.withoutPool(),
				this.tables.connectionWithoutAutoCommit() }) {
			JdbcTemplate jdbc = new JdbcTemplate(alone);
			boolean isSince17 = settings(alone).containsKey("transaction_timeout");
			assumeThat(isSince17 || !setting.startsWith("transaction_timeout")).as("the server knows it").isTrue();
			jdbc.execute("SET " + setting);
			jdbc.execute("COMMIT");
			Map<String, String> before = settings(alone);
			assertThat(inSession(alone)).containsEntry("lock_timeout", "3000")
				.containsEntry("statement_timeout", "0")
				.containsAllEntriesOf(isSince17 ? Map.of("transaction_timeout", "0") : Map.of())
				.containsEntry("idle_in_transaction_session_timeout", "20000")
				.containsEntry("synchronous_commit", "on")
				.containsEntry("transaction_isolation", "read committed")
				.containsEntry("transaction_read_only", "off")
				.containsEntry("enable_seqscan", "off");
			new JdbcTemplate(alone).execute("ROLLBACK");
			assertThat(settings(alone)).isEqualTo(before);
		}
	}

	private Map<String, String> inSession(DataSource dataSource) {
		Dialect dialect = this.tables.outbox().dialect();
		try (LimitedSession session = LimitedSession.open(dataSource, dialect, Duration.ofSeconds(20))) {
			TransactionTemplate transaction = new TransactionTemplate(session.transactions());
			// What is rolled back takes no setting with it
			transaction.executeWithoutResult((status) -> status.setRollbackOnly());
			return transaction.execute((status) -> settings(dataSource));
		}
	}

	private static Map<String, String> settings(DataSource dataSource) {
		Map<String, String> settings = new TreeMap<>();
		new JdbcTemplate(dataSource).query("SELECT name, setting FROM pg_settings WHERE name NOT LIKE 'outbox.%'",
				(row) -> {
					settings.put(row.getString(1), row.getString(2));
				});
		return settings;
	}

	@Test
	void namesInAnyCaseAreOneTable() {
		new JdbcTemplate(this.tables.writer()).execute("ALTER TABLE outbox_pause RENAME TO Shop_Pause");
		assertThat(new JdbcPause(new OutboxDatabase(this.tables.writer(), "Shop_")).isPaused()).isFalse();
		new JdbcPause(new OutboxDatabase(this.tables.writer(), "SHOP_")).set(true);
		assertThat(new JdbcPause(new OutboxDatabase(this.tables.writer(), "shop_")).isPaused()).isTrue();
	}

}
