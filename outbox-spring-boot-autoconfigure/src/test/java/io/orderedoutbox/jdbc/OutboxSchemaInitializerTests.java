/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.autoconfigure.OutboxJdbcProperties;
import io.orderedoutbox.autoconfigure.OutboxSchemaInitializer;
import io.orderedoutbox.jdbc.connection.DatabaseName;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.RewritingDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link OutboxSchemaInitializer}, with everything that it checks.
 */
@ExtendWith(OutputCaptureExtension.class)
class OutboxSchemaInitializerTests {

	private final OutboxJdbcProperties properties = new OutboxJdbcProperties();

	private Partitions partitions = new Partitions();

	private DataSource dataSource;

	private JdbcTemplate jdbc;

	@BeforeEach
	void createSchema() {
		Database database = Servers.database().fresh();
		this.dataSource = new DriverManagerDataSource(database.jdbcUrl(), database.username(), database.password());
		this.jdbc = new JdbcTemplate(this.dataSource);
		this.properties.setInitializeSchema(DatabaseInitializationMode.ALWAYS);
	}

	@Test
	void createsTheTables() throws Exception {
		initialize();
		assertThat(tables()).containsExactlyInAnyOrder("outbox_message", "outbox_parked", "outbox_partition",
				"outbox_audit", "outbox_stripe", "outbox_dead_letter", "outbox_archive", "outbox_instance",
				"outbox_worker", "outbox_throughput", "outbox_pause");
		assertThat(partitions()).isEqualTo(IntStream.range(0, 64).boxed().toList());
		assertThat(stripes()).isEqualTo(IntStream.range(0, 64).boxed().toList());
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 16, 64, 65, 1000 })
	void createsAsManyPartitionsAsItIsToldTo(int number) throws Exception {
		this.partitions = new Partitions(number, Partitions::crc32);
		initialize();
		assertThat(partitions()).isEqualTo(IntStream.range(0, number).boxed().toList());
		assertThat(stripes()).isEqualTo(IntStream.range(0, number).boxed().toList());
	}

	@ParameterizedTest
	@CsvSource({ "16, ALWAYS", "16, NEVER", "128, ALWAYS", "128, NEVER" })
	void anotherNumberOfPartitionsIsRefused(int number, DatabaseInitializationMode mode) throws Exception {
		initialize();
		this.properties.setInitializeSchema(mode);
		this.partitions = new Partitions(number, Partitions::crc32);
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(this::initialize).satisfies((ex) -> {
			assertThat(ex.getDescription())
				.isEqualTo("Table 'outbox_partition' has 64 rows, but outbox.partitions is %d.".formatted(number));
			assertThat(ex.getRemedy()).contains("Set outbox.partitions", "docs/schema.md", "no order can be kept");
		});
		assertThat(partitions()).hasSize(64);
		assertThat(stripes()).hasSize(64);
		this.partitions = new Partitions();
		initialize();
	}

	@Test
	void asOftenAsItLikes() throws Exception {
		initialize();
		insertMessage();
		initialize();
		assertThat(stripes()).hasSize(64);
		assertThat(count("outbox_message")).isOne();
	}

	@Test
	void withEveryOtherPrefix() throws Exception {
		this.properties.setTablePrefix("Shop2_outbox_");
		initialize();
		assertThat(tables()).allMatch((table) -> table.toLowerCase(Locale.ROOT).startsWith("shop2_outbox_"))
			.hasSize(11);
	}

	@Test
	void withTheLongestPrefix() throws Exception {
		this.properties.setTablePrefix("p".repeat(40));
		initialize();
		assertThat(tables()).hasSize(11);
	}

	@Test
	void eightAtOnceCreateTheTablesOnce() throws Exception {
		CyclicBarrier together = new CyclicBarrier(8);
		ExecutorService instances = Executors.newFixedThreadPool(8);
		try {
			List<Future<?>> starts = IntStream.range(0, 8).<Future<?>>mapToObj((instance) -> instances.submit(() -> {
				OutboxSchemaInitializer initializer = initializer(this.dataSource);
				together.await(30, TimeUnit.SECONDS);
				start(initializer);
				return null;
			})).toList();
			for (Future<?> start : starts) {
				assertThatNoException().isThrownBy(() -> start.get(60, TimeUnit.SECONDS));
			}
		}
		finally {
			instances.shutdownNow();
		}
		assertThat(stripes()).hasSize(64);
	}

	@Test
	void leavesTheTransactionOfItsCallerAlone() throws Exception {
		this.jdbc.execute("CREATE TABLE business (id INT PRIMARY KEY)");
		TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(this.dataSource));
		transaction.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		transaction.executeWithoutResult((status) -> {
			this.jdbc.update("INSERT INTO business VALUES (1)");
			// The snapshot of this transaction is older than the tables
			assertThat(count("business")).isOne();
			assertThatNoException().isThrownBy(this::initialize);
			this.jdbc.update("INSERT INTO business VALUES (2)");
			status.setRollbackOnly();
		});
		assertThat(count("business")).isZero();
		assertThat(tables()).contains("outbox_message", "outbox_stripe");
		assertThat(stripes()).hasSize(64);
	}

	@Test
	void onAPoolThatDoesNotCommitByItself() throws Exception {
		this.dataSource = new DelegatingDataSource(this.dataSource) {

			@Override
			public Connection getConnection() throws SQLException {
				Connection connection = super.getConnection();
				connection.setAutoCommit(false);
				return connection;
			}

		};
		initialize();
		assertThat(stripes()).hasSize(64);
	}

	@Test
	void fromAScriptOfTheApplicationForItsOwnPlatform() throws Exception {
		this.properties.setSchema("classpath:io/orderedoutbox/jdbc/tables-for-@@platform@@.sql");
		this.properties.setPlatform("tests");
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(this::initialize)
			.satisfies((ex) -> assertThat(ex.getDescription()).contains("'outbox_message'"));
		assertThat(tables()).containsExactly("outbox_of_the_application");
	}

	@Test
	void aScriptThatIsNotThereEndsTheStart() {
		this.properties.setSchema("classpath:nowhere.sql");
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(this::initialize).satisfies((ex) -> {
			assertThat(ex.getDescription()).contains("classpath:nowhere.sql");
			assertThat(ex.getRemedy()).contains("outbox.jdbc.schema");
		});
	}

	@Test
	void aScriptThatFailsEndsTheStart() {
		this.properties.setSchema("classpath:io/orderedoutbox/jdbc/broken-tables.sql");
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(this::initialize).satisfies((ex) -> {
			assertThat(ex.getDescription()).contains("nonsense");
			assertThat(ex.getRemedy()).contains("outbox.jdbc.schema", "outbox.jdbc.initialize-schema=never");
			assertThat(ex).hasRootCauseInstanceOf(SQLException.class);
		});
		assertThat(tables()).isEmpty();
	}

	@Test
	void aScriptMayFailIfTheApplicationSaysSo() throws Exception {
		initialize();
		this.properties.setSchema("classpath:io/orderedoutbox/jdbc/broken-tables.sql");
		this.properties.setContinueOnError(true);
		initialize();
		assertThat(tables()).contains("outbox_after_the_error");
	}

	@Test
	void embeddedMeansNever() {
		this.properties.setInitializeSchema(DatabaseInitializationMode.EMBEDDED);
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(this::initialize);
		assertThat(tables()).isEmpty();
	}

	@Test
	void neverFindsOutThatTheTablesAreMissing() {
		never();
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(this::initialize).satisfies((ex) -> {
			assertThat(ex.getDescription()).contains("table 'outbox_message' is missing", "'outbox_stripe'");
			assertThat(ex.getRemedy()).contains("outbox.jdbc.initialize-schema=always",
					"schema-" + Servers.database().platform() + ".sql");
		});
	}

	@Test
	void everyMissingColumnIsFound() throws Exception {
		initialize();
		never();
		List<String> columns = this.jdbc.queryForList("SELECT column_name FROM information_schema.columns "
				+ "WHERE table_schema = DATABASE() AND table_name = 'outbox_message' AND column_name NOT IN ('id', 'payload')",
				String.class);
		assertThat(columns).hasSizeGreaterThan(10).contains("lane");
		for (String column : columns) {
			this.jdbc.execute("ALTER TABLE outbox_message RENAME COLUMN %s TO lost".formatted(column));
			assertThatExceptionOfType(OutboxConfigurationException.class).as(column)
				.isThrownBy(this::initialize)
				.satisfies((ex) -> assertThat(ex.getDescription()).contains(column));
			this.jdbc.execute("ALTER TABLE outbox_message RENAME COLUMN lost TO %s".formatted(column));
		}
		initialize();
	}

	@ParameterizedTest
	@CsvSource({ "message, lane", "parked, partition_id", "parked, key_hash", "parked, partition_key",
			"parked, available_at", "partition, retry_at", "partition, id", "stripe, id" })
	void aMissingColumnOfAnotherTableIsFound(String table, String column) throws Exception {
		initialize();
		never();
		this.jdbc.execute("ALTER TABLE outbox_%s RENAME COLUMN %s TO lost".formatted(table, column));
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(this::initialize)
			.satisfies((ex) -> assertThat(ex.getDescription()).contains(column));
	}

	@ParameterizedTest
	@CsvSource({ "message, outbox_message_id", "parked, outbox_parked_key", "parked, outbox_parked_due" })
	void aMissingIndexIsFound(String table, String index) throws Exception {
		initialize();
		never();
		renameIndex("outbox_" + table, index, "lost");
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(this::initialize)
			.satisfies((ex) -> assertThat(ex.getDescription()).contains(index));
	}

	@ParameterizedTest
	@ValueSource(strings = { "message", "parked", "partition", "stripe", "dead_letter" })
	void aMissingTableIsFound(String table) throws Exception {
		initialize();
		never();
		this.jdbc.execute("DROP TABLE outbox_" + table);
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(this::initialize)
			.satisfies(
					(ex) -> assertThat(ex.getDescription()).contains("table 'outbox_%s' is missing".formatted(table)));
	}

	@ParameterizedTest
	@EnumSource(names = { "ALWAYS", "NEVER" })
	void tablesOfAnOlderVersionAreRefusedAndLeftAsTheyAre(DatabaseInitializationMode mode) {
		OutboxTables.skipOnPostgreSql("the first release had no tables for it");
		this.properties.setSchema("classpath:io/orderedoutbox/jdbc/schema-1-@@platform@@.sql");
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(this::initialize);
		List<String> before = tables();
		assertThat(before).contains("outbox_failed");
		this.properties.setSchema(null);
		this.properties.setInitializeSchema(mode);
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(this::initialize).satisfies((ex) -> {
			assertThat(ex.getDescription()).isEqualTo(
					"The tables of the outbox were made by an older version: 'outbox_message' has no column 'lane'.");
			assertThat(ex.getRemedy()).contains("Stop all instances", "docs/migration.md",
					"migration-1-to-2-" + Servers.database().platform() + ".sql");
		});
		assertThat(tables()).containsExactlyInAnyOrderElementsOf(before);
		assertThat(stripes()).hasSize(1024);
	}

	// As those of two other libraries are
	@ParameterizedTest
	@CsvSource(quoteCharacter = '`', value = { "instance, `instance_id VARCHAR(36) PRIMARY KEY, hostname TEXT`",
			"partition, `partition_number INT PRIMARY KEY, instance_id VARCHAR(36)`",
			"message, `id BIGINT PRIMARY KEY, payload TEXT`", "message, `position BIGINT PRIMARY KEY`",
			"parked, `id BIGINT PRIMARY KEY`", "stripe, `number INT PRIMARY KEY`", "dead_letter, `id INT PRIMARY KEY`",
			"worker, `id INT PRIMARY KEY`", "throughput, `id INT PRIMARY KEY`", "pause, `id INT PRIMARY KEY`" })
	void aTableOfSomethingElseIsRefusedAndNothingIsMadeBesideIt(String table, String columns) throws Exception {
		this.jdbc.execute("CREATE TABLE outbox_%s (%s)".formatted(table, columns));
		for (DatabaseInitializationMode mode : List.of(DatabaseInitializationMode.ALWAYS,
				DatabaseInitializationMode.NEVER)) {
			this.properties.setInitializeSchema(mode);
			assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(this::initialize)
				.satisfies((ex) -> {
					assertThat(ex.getDescription())
						.contains("Table 'outbox_%s' belongs to something else".formatted(table));
					assertThat(ex.getRemedy()).contains("outbox.jdbc.table-prefix");
				});
			assertThat(tables()).containsExactly("outbox_" + table);
		}
		this.properties.setInitializeSchema(DatabaseInitializationMode.ALWAYS);
		this.properties.setTablePrefix("shop_outbox_");
		initialize();
	}

	@Test
	void aTableOfSomethingElseThatAMigrationToolHasLeftIsFound() throws Exception {
		initialize();
		never();
		this.jdbc.execute("DROP TABLE outbox_instance");
		this.jdbc.execute("CREATE TABLE outbox_instance (instance_id VARCHAR(36) PRIMARY KEY, hostname TEXT)");
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(this::initialize)
			.satisfies((ex) -> assertThat(ex.getDescription()).isEqualTo(
					"Table 'outbox_instance' belongs to something else than the outbox: it has no column 'id', 'heartbeat_at'."));
	}

	@Test
	void whereNothingIsArchivedATableOfThatNameMayBeAnybodys() throws Exception {
		this.jdbc.execute("CREATE TABLE outbox_archive (number INT PRIMARY KEY)");
		initialize();
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(this::initializeWithArchive)
			.satisfies((ex) -> assertThat(ex.getDescription()).contains("'outbox_archive' belongs to something else"));
	}

	@Test
	void aTableWhoseNameDiffersInCaseIsAnother() throws Exception {
		OutboxTables.skipOnPostgreSql("names in any case are one table");
		if (Boolean.TRUE.equals(this.jdbc.queryForObject("SELECT @@lower_case_table_names = 0", Boolean.class))) {
			this.jdbc.execute("CREATE TABLE OUTBOX_INSTANCE (number INT PRIMARY KEY)");
			initialize();
			assertThat(tables()).contains("OUTBOX_INSTANCE", "outbox_instance");
		}
	}

	@Test
	void everyTextColumnWithAnotherCharacterSetIsFound() throws Exception {
		OutboxTables.skipOnPostgreSql("all texts of a database have one encoding");
		initializeWithArchive();
		never();
		List<Map<String, Object>> columns = this.jdbc
			.queryForList("SELECT table_name AS t, column_name AS c, column_type AS y FROM information_schema.columns "
					+ "WHERE table_schema = DATABASE() AND character_set_name IS NOT NULL");
		assertThat(columns).hasSizeGreaterThan(30);
		for (Map<String, Object> column : columns) {
			Object table = column.get("t");
			Object name = column.get("c");
			this.jdbc.execute("ALTER TABLE %s RENAME COLUMN %s TO kept, ADD COLUMN %s %s CHARACTER SET latin1 NULL"
				.formatted(table, name, name, column.get("y")));
			assertFound(table, name);
			this.jdbc.execute("ALTER TABLE %s DROP COLUMN %s, RENAME COLUMN kept TO %s".formatted(table, name, name));
		}
		initializeWithArchive();
	}

	@ParameterizedTest
	@ValueSource(strings = { "outbox_message", "outbox_dead_letter", "outbox_archive" })
	void bytesThatAreStoredAsTextAreFound(String table) throws Exception {
		OutboxTables.skipOnPostgreSql("no statement would be taken");
		initializeWithArchive();
		never();
		this.jdbc.execute("ALTER TABLE %s MODIFY payload LONGTEXT CHARACTER SET latin1 NOT NULL".formatted(table));
		assertFound(table, "payload");
	}

	private void assertFound(Object table, Object column) {
		assertThatExceptionOfType(OutboxConfigurationException.class).as("%s.%s", table, column)
			.isThrownBy(this::initializeWithArchive)
			.satisfies((ex) -> {
				assertThat(ex.getDescription()).contains("'%s'".formatted(column), "'%s'".formatted(table), "latin1");
				assertThat(ex.getRemedy()).contains("schema-" + Servers.database().platform() + ".sql");
			});
	}

	@Test
	void textThatIsAsciiMayBeInTheOtherCharacterSet() throws Exception {
		OutboxTables.skipOnPostgreSql("all texts of a database have one encoding");
		initialize();
		never();
		this.jdbc.execute("ALTER TABLE outbox_message MODIFY name VARCHAR(190) CHARACTER SET utf8mb4 NOT NULL");
		this.jdbc.execute("ALTER TABLE outbox_message ADD COLUMN remark TEXT CHARACTER SET latin1 NULL");
		assertThatNoException().isThrownBy(this::initialize);
	}

	@Test
	void sessionsThatAreGivenUpAfterAMomentAreChecked() throws Exception {
		String limit = isMySql() ? "SET max_execution_time = 1"
				: Servers.database().choose("SET max_statement_time = 0.001", "SET statement_timeout = 1");
		this.dataSource = new DelegatingDataSource(this.dataSource) {

			@Override
			public Connection getConnection() throws SQLException {
				Connection connection = super.getConnection();
				connection.createStatement().execute(limit);
				return connection;
			}

		};
		initialize();
		never();
		initialize();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aRelayThatLooksElsewhereIsFound(boolean withTables) throws Exception {
		initialize();
		DataSource here = this.dataSource;
		Database other = Servers.database().fresh();
		DataSource elsewhere = new DriverManagerDataSource(other.jdbcUrl(), other.username(), other.password());
		if (withTables) {
			start(initializer(elsewhere));
		}
		OutboxDatabase database = new OutboxDatabase(here, "outbox_").withBackground(elsewhere);
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> new OutboxSchemaInitializer(database, this.properties).check())
			.satisfies((ex) -> {
				assertThat(ex.getDescription()).contains(DatabaseName.of(here), DatabaseName.of(elsewhere));
				assertThat(ex.getRemedy()).contains("@OutboxRelayDataSource");
			});
	}

	@Test
	void aRelayOnAnotherServerIsFound() throws Exception {
		initialize();
		DataSource elsewhere = answering(isMySql() ? Map.of("@@server_uuid", "'other'")
				: Map.of(Servers.database().choose("@@hostname", "current_database()"), "'other'"));
		OutboxDatabase database = new OutboxDatabase(this.dataSource, "outbox_").withBackground(elsewhere);
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> new OutboxSchemaInitializer(database, this.properties).check());
	}

	@Test
	void aRelayWithADataSourceOfItsOwnForTheSameSchemaIsTaken() throws Exception {
		initialize();
		OutboxDatabase database = new OutboxDatabase(this.dataSource, "outbox_").withBackground(answering(Map.of()));
		assertThatNoException().isThrownBy(() -> new OutboxSchemaInitializer(database, this.properties).check());
	}

	@Test
	void whatIsForEyesOnlyMayBeMissing() throws Exception {
		initialize();
		never();
		this.jdbc.execute("DROP TABLE outbox_instance, outbox_worker, outbox_throughput, outbox_pause");
		assertThatNoException().isThrownBy(this::initialize);
	}

	@Test
	void aMissingArchiveIsFoundWhereItIsEnabled() throws Exception {
		initialize();
		never();
		this.jdbc.execute("DROP TABLE outbox_archive");
		assertThatNoException().isThrownBy(this::initialize);
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(this::initializeWithArchive)
			.satisfies((ex) -> {
				assertThat(ex.getDescription()).contains("table 'outbox_archive' is missing");
				assertThat(ex.getRemedy()).contains("outbox.jdbc.initialize-schema=always",
						"outbox.archive.enabled=false", "schema-" + Servers.database().platform() + ".sql");
			});
		this.properties.setInitializeSchema(DatabaseInitializationMode.ALWAYS);
		initializeWithArchive();
		assertThat(tables()).contains("outbox_archive");
	}

	@Test
	void everyMissingColumnAndIndexOfTheArchiveIsFound() throws Exception {
		initialize();
		never();
		List<String> columns = this.jdbc.queryForList(
				"SELECT column_name FROM information_schema.columns "
						+ "WHERE table_schema = DATABASE() AND table_name = 'outbox_archive' AND column_name <> 'id'",
				String.class);
		assertThat(columns).hasSizeGreaterThan(12);
		for (String column : columns) {
			this.jdbc.execute("ALTER TABLE outbox_archive RENAME COLUMN %s TO lost".formatted(column));
			assertThatExceptionOfType(OutboxConfigurationException.class).as(column)
				.isThrownBy(this::initializeWithArchive)
				.satisfies((ex) -> assertThat(ex.getDescription()).contains(column));
			this.jdbc.execute("ALTER TABLE outbox_archive RENAME COLUMN lost TO %s".formatted(column));
		}
		initializeWithArchive();
		for (String index : List.of("message", "key", "name", "published")) {
			renameIndex("outbox_archive", "outbox_archive_" + index, "lost");
			assertThatExceptionOfType(OutboxConfigurationException.class).as(index)
				.isThrownBy(this::initializeWithArchive)
				.satisfies((ex) -> assertThat(ex.getDescription()).contains("outbox_archive_" + index));
			renameIndex("outbox_archive", "lost", "outbox_archive_" + index);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "partition", "stripe" })
	void aMissingRowIsFound(String table) throws Exception {
		initialize();
		never();
		this.jdbc.update("DELETE FROM outbox_%s WHERE id = 7".formatted(table));
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(this::initialize).satisfies((ex) -> {
			assertThat(ex.getDescription())
				.isEqualTo("Table 'outbox_%s' has 63 rows, but outbox.partitions is 64.".formatted(table));
			assertThat(ex.getRemedy()).contains("0 to 63");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "partition", "stripe" })
	void aRowWithAnotherNumberIsFound(String table) throws Exception {
		initialize();
		this.jdbc.update("UPDATE outbox_%s SET id = 700 WHERE id = 7".formatted(table));
		never();
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(this::initialize).satisfies((ex) -> {
			assertThat(ex.getDescription()).contains("'outbox_%s'".formatted(table), "700");
			assertThat(ex.getRemedy()).contains("0 to 63");
		});
	}

	@Test
	void aCollationInWhichDifferentKeysAreEqualIsFound() throws Exception {
		OutboxTables.skipOnPostgreSql("PostgreSqlTests does the same");
		initialize();
		never();
		for (String collation : List.of("utf8mb4_bin", "utf8mb4_unicode_ci")) {
			this.jdbc.execute(("ALTER TABLE outbox_message MODIFY partition_key VARCHAR(255) "
					+ "CHARACTER SET utf8mb4 COLLATE %s NOT NULL DEFAULT ''")
				.formatted(collation));
			assertThatExceptionOfType(OutboxConfigurationException.class).as(collation)
				.isThrownBy(this::initialize)
				.satisfies((ex) -> assertThat(ex.getDescription()).contains("partition_key", "collation"));
		}
		this.jdbc.execute("ALTER TABLE outbox_message MODIFY partition_key VARBINARY(255) NOT NULL DEFAULT ''");
		initialize();
	}

	@Test
	void tablesOfANewerVersionAreRefused() throws Exception {
		initialize();
		String comment = Servers.database()
			.choose("ALTER TABLE outbox_message COMMENT = '%s'", "COMMENT ON TABLE outbox_message IS '%s'");
		this.jdbc.execute(comment.formatted("outbox schema 3"));
		for (DatabaseInitializationMode mode : List.of(DatabaseInitializationMode.ALWAYS,
				DatabaseInitializationMode.NEVER)) {
			this.properties.setInitializeSchema(mode);
			assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(this::initialize)
				.satisfies((ex) -> {
					assertThat(ex.getDescription()).contains("'outbox_message'", "schema 3", "works with schema 2");
					assertThat(ex.getRemedy()).contains("on all instances");
				});
		}
		this.jdbc.execute(comment.formatted("ours"));
		initialize();
	}

	@Test
	void aServerThatIsTooOldIsRefused() {
		String version = "SELECT '5.7.44-log'";
		DataSource old = answering(
				Map.of("SELECT VERSION()", version, "SELECT CONCAT(VERSION(), ' ', @@version_comment)", version));
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> initializer(old).afterPropertiesSet())
			.satisfies((ex) -> assertThat(ex.getDescription()).contains("'5.7.44-log'"));
	}

	@Test
	void warnsOnlyOfAServerThatForgetsWhatItHasCommitted(CapturedOutput output) throws Exception {
		OutboxTables.skipOnPostgreSql("PostgreSqlTests does the same");
		String setting = "@@GLOBAL.innodb_flush_log_at_trx_commit = 1";
		start(initializer(answering(Map.of(setting, "1", "@@GLOBAL.log_bin = 0", "1"))));
		assertThat(output).doesNotContain("survive a crash");
		start(initializer(answering(Map.of(setting, "0"))));
		assertThat(output).contains("WARN", "not set up to survive a crash", "innodb_flush_log_at_trx_commit=1");
	}

	@Test
	void warnsOfABinaryLogThatIsNotSynchronised(CapturedOutput output) throws Exception {
		OutboxTables.skipOnPostgreSql("it has one log");
		start(initializer(answering(Map.of("@@GLOBAL.innodb_flush_log_at_trx_commit = 1", "1", "@@GLOBAL.log_bin = 0",
				"0", "@@GLOBAL.sync_binlog = 1", "0"))));
		assertThat(output).contains("not set up to survive a crash", "sync_binlog=1");
	}

	@Test
	void refusesSessionsThatCommitNothingByThemselvesAndDoNotSaySo() throws Exception {
		OutboxTables.skipOnPostgreSql("the server knows no such session");
		initialize();
		DataSource plain = this.dataSource;
		this.dataSource = new DelegatingDataSource(plain) {

			@Override
			public Connection getConnection() throws SQLException {
				Connection connection = super.getConnection();
				connection.createStatement().execute("SET autocommit = 0");
				return connection;
			}

		};
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(this::initialize).satisfies((ex) -> {
			assertThat(ex.getDescription()).contains("autocommit=0");
			assertThat(ex.getRemedy()).contains("connection-init-sql", "spring.datasource.hikari.auto-commit=false");
		});
	}

	@Test
	void aServerThatHidesThoseSettingsIsGoodEnough() throws Exception {
		OutboxTables.skipOnPostgreSql("no setting is hidden");
		start(initializer(answering(Map.of("@@GLOBAL.log_bin", "@@GLOBAL.hidden"))));
		assertThat(stripes()).hasSize(64);
	}

	private void renameIndex(String table, String from, String to) {
		this.jdbc.execute(Servers.database()
			.choose("ALTER TABLE %s RENAME INDEX %s TO %s", "ALTER INDEX %2$s RENAME TO %3$s")
			.formatted(table, from, to));
	}

	private void never() {
		this.properties.setInitializeSchema(DatabaseInitializationMode.NEVER);
	}

	private void initialize() throws Exception {
		start(initializer(this.dataSource));
	}

	private void initializeWithArchive() throws Exception {
		start(initializer(this.dataSource, true));
	}

	private static void start(OutboxSchemaInitializer initializer) throws Exception {
		initializer.afterPropertiesSet();
		initializer.check();
	}

	private OutboxSchemaInitializer initializer(DataSource dataSource) {
		return initializer(dataSource, false);
	}

	private OutboxSchemaInitializer initializer(DataSource dataSource, boolean archiving) {
		return new OutboxSchemaInitializer(
				new OutboxDatabase(dataSource, this.properties.getTablePrefix(), archiving, this.partitions),
				this.properties);
	}

	private boolean isMySql() {
		return Servers.database().isMySql();
	}

	private List<String> tables() {
		return this.jdbc.queryForList(
				"SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()", String.class);
	}

	private List<Integer> partitions() {
		return this.jdbc.queryForList("SELECT id FROM outbox_partition ORDER BY id", Integer.class);
	}

	private List<Integer> stripes() {
		return this.jdbc.queryForList("SELECT id FROM outbox_stripe ORDER BY id", Integer.class);
	}

	private int count(String table) {
		Integer count = this.jdbc.queryForObject("SELECT COUNT(*) FROM " + table, Integer.class);
		return (count != null) ? count : -1;
	}

	private void insertMessage() {
		this.jdbc
			.update("INSERT INTO outbox_message (lane, message_id, name, exchange, routing_key, content_type, payload, "
					+ "created_at, available_at) VALUES (0, UUID(), 'n', 'e', 'r', 'c', 'p', UTC_TIMESTAMP(6), UTC_TIMESTAMP(6))");
	}

	/**
	 * The same database, but asked something else.
	 */
	private DataSource answering(Map<String, String> replacements) {
		return new RewritingDataSource(this.dataSource, (sql) -> {
			String changed = sql;
			for (Map.Entry<String, String> replacement : replacements.entrySet()) {
				changed = changed.replace(replacement.getKey(), replacement.getValue());
			}
			return changed;
		});
	}

}
