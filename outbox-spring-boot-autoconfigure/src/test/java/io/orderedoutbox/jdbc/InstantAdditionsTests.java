/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.autoconfigure.OutboxJdbcProperties;
import io.orderedoutbox.autoconfigure.OutboxSchemaInitializer;
import io.orderedoutbox.inbox.InboxSchema;
import io.orderedoutbox.servers.RequiresMySql;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.SqlLog;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An application that creates its tables adds what is missing to tables that are there,
 * if the server can do that at once, and changes nothing else.
 */
@Timeout(60)
class InstantAdditionsTests {

	private final OutboxTables tables = new OutboxTables();

	private final OutboxJdbcProperties properties = new OutboxJdbcProperties();

	@AfterEach
	void close() {
		this.tables.close();
	}

	@ParameterizedTest
	@CsvSource({ "outbox_message, headers", "outbox_message, last_error", "outbox_message, attempts",
			"outbox_dead_letter, failed_at", "outbox_archive, last_error" })
	void aColumnWithNullOrADefaultIsAddedWithoutTouchingRows(String table, String column) throws Exception {
		this.tables.commit("a", "b");
		execute("ALTER TABLE %s DROP COLUMN %s".formatted(table, column));
		List<String> statements = SqlLog.of(this::initializeUnchecked);
		// The server refuses it if it would have to touch a row
		assertThat(statements.stream().filter((statement) -> statement.startsWith("alter"))).singleElement()
			.asString()
			.startsWith("alter table %s add column %s".formatted(table, column))
			.endsWith(Servers.database().choose(", algorithm=instant", ""));
		initialize(DatabaseInitializationMode.NEVER);
		assertThat(this.tables.depth()).isEqualTo(2);
		this.tables.commit("c");
	}

	@Test
	void withoutAnOrderToCreateTablesNothingIsAddedAndTheStatementIsNamed() {
		execute("ALTER TABLE outbox_message DROP COLUMN headers, DROP COLUMN last_error");
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> initialize(DatabaseInitializationMode.NEVER))
			.satisfies((ex) -> {
				assertThat(ex.getDescription()).contains("has no column 'headers'; ", "has no column 'last_error'");
				assertThat(ex.getRemedy()).contains("outbox.jdbc.initialize-schema=always",
						"ALTER TABLE outbox_message ADD COLUMN headers "
								+ Servers.database().choose("MEDIUMTEXT", "TEXT"),
						"ADD COLUMN last_error");
			});
	}

	private static List<Arguments> changes() {
		return Servers.database().isPostgreSql() ? List.of(
				Arguments.of("ALTER TABLE outbox_message DROP COLUMN content_type", "has no column 'content_type'",
						"ADD COLUMN content_type"),
				Arguments.of("DROP INDEX outbox_message_id", "has no index 'outbox_message_id' (id)",
						"CREATE INDEX IF NOT EXISTS outbox_message_id ON outbox_message (id)"),
				Arguments.of(
						"ALTER TABLE outbox_message DROP CONSTRAINT outbox_message_pkey, ADD PRIMARY KEY (id, lane)",
						"has no primary key (lane, id)", "ADD PRIMARY KEY (lane, id)"))
				: List.of(
						Arguments.of("ALTER TABLE outbox_message DROP COLUMN content_type",
								"has no column 'content_type'", "ADD COLUMN content_type"),
						Arguments.of("ALTER TABLE outbox_message ADD KEY kept (id), DROP KEY outbox_message_id",
								"has no index 'outbox_message_id' (id)", "ADD KEY outbox_message_id (id)"),
						Arguments.of("ALTER TABLE outbox_message DROP PRIMARY KEY, ADD PRIMARY KEY (id, lane)",
								"has no primary key (lane, id)", "DROP PRIMARY KEY, ADD PRIMARY KEY (lane, id)"));
	}

	@ParameterizedTest
	@MethodSource("changes")
	void whatWouldTouchRowsIsLeftAndNamed(String change, String description, String statement) {
		execute(change);
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> initialize(DatabaseInitializationMode.ALWAYS))
			.satisfies((ex) -> {
				assertThat(ex.getDescription()).contains(description);
				assertThat(ex.getRemedy()).contains("with your migration tool", statement)
					.doesNotContain("initialize-schema=always");
			});
	}

	@Test
	void aCollationIsLeftAndNamed() {
		OutboxTables.skipOnPostgreSql("PostgreSqlTests does the same");
		execute("ALTER TABLE outbox_parked MODIFY partition_key VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL");
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> initialize(DatabaseInitializationMode.ALWAYS))
			.satisfies((ex) -> {
				assertThat(ex.getDescription()).contains("'partition_key' of table 'outbox_parked'", "utf8mb4_bin");
				assertThat(ex.getRemedy()).contains("ALTER TABLE outbox_parked MODIFY COLUMN partition_key");
			});
	}

	@Test
	void whatIsMissingInATableThatMayBeMissingKeepsNobodyFromStarting() throws Exception {
		execute("ALTER TABLE outbox_pause DROP COLUMN paused_at, ADD COLUMN paused_at %s NULL"
			.formatted(Servers.database().choose("DATETIME(6)", "TIMESTAMPTZ(6)")));
		execute("ALTER TABLE outbox_worker DROP COLUMN host");
		initialize(DatabaseInitializationMode.ALWAYS);
	}

	@Test
	void aTableThatATransactionUsesIsWaitedForAndNobodyWaitsForLong() throws Exception {
		execute("ALTER TABLE outbox_message DROP COLUMN last_error");
		TransactionStatus business = this.tables.begin(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		this.tables.jdbc().sql("SELECT COUNT(*) FROM outbox_message").query(Long.class).single();
		CompletableFuture<Void> start = CompletableFuture.runAsync(() -> initializeUnchecked());
		awaitWaitingAlteration();
		long before = System.nanoTime();
		// On another connection, behind the alteration
		CompletableFuture.supplyAsync(() -> this.tables.depth()).join();
		assertThat((System.nanoTime() - before) / 1_000_000).isLessThan(3_000);
		this.tables.commit(business);
		start.join();
		initialize(DatabaseInitializationMode.NEVER);
	}

	@Test
	void aTableThatIsInUseForTooLongIsGivenUp() {
		execute("ALTER TABLE outbox_message DROP COLUMN last_error");
		TransactionStatus business = this.tables.begin(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		this.tables.jdbc().sql("SELECT COUNT(*) FROM outbox_message").query(Long.class).single();
		assertThatExceptionOfType(CompletionException.class)
			.isThrownBy(() -> CompletableFuture.runAsync(this::initializeUnchecked).join())
			.havingCause()
			.isInstanceOf(OutboxConfigurationException.class)
			.withMessageContainingAll("A column could not be added", "has no column 'last_error'", "5 seconds",
					"ALTER TABLE outbox_message ADD COLUMN last_error");
		this.tables.commit(business);
	}

	@Test
	@RequiresMySql
	void aSessionGetsBackHowLongItWaits() throws Exception {
		execute("ALTER TABLE outbox_message DROP COLUMN last_error");
		int before = lockWait();
		initialize(DatabaseInitializationMode.ALWAYS);
		assertThat(lockWait()).isEqualTo(before).isGreaterThan(1);
	}

	@Test
	void theInboxGetsItsColumnsToo() {
		InboxSchema inbox = new InboxSchema(this.tables.outbox().dialect().platform(), "inbox_message",
				"inbox_dead_letter");
		inbox.script().statements().forEach(this::execute);
		inbox.addMissingColumns(this.tables.writer());
		assertThat(count("inbox_message")).isEqualTo(4);
	}

	private int count(String table) {
		return this.tables.jdbc()
			.sql("SELECT COUNT(*) FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ?")
			.param(table)
			.query(Integer.class)
			.single();
	}

	private int lockWait() {
		return this.tables.jdbc().sql("SELECT @@SESSION.lock_wait_timeout").query(Integer.class).single();
	}

	private void awaitWaitingAlteration() {
		Awaitility.await()
			.until(() -> this.tables.jdbc()
				.sql(Servers.database()
					.choose("SELECT COUNT(*) FROM information_schema.processlist WHERE state = 'Waiting for table metadata lock' AND db = DATABASE()",
							"SELECT COUNT(*) FROM pg_locks WHERE NOT granted AND relation = to_regclass('outbox_message')"))
				.query(Integer.class)
				.single() > 0);
	}

	private void execute(String sql) {
		this.tables.jdbc().sql(sql).update();
	}

	private void initializeUnchecked() {
		try {
			initialize(DatabaseInitializationMode.ALWAYS);
		}
		catch (RuntimeException ex) {
			throw ex;
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void initialize(DatabaseInitializationMode mode) throws Exception {
		this.properties.setInitializeSchema(mode);
		OutboxSchemaInitializer initializer = new OutboxSchemaInitializer(this.tables.outbox(), this.properties);
		initializer.afterPropertiesSet();
		initializer.check();
	}

}
