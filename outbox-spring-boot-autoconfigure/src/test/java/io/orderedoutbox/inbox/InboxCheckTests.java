/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.schema.SchemaScript;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OwnThread;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Who makes the table of the inbox, and what it must be.
 */
class InboxCheckTests {

	private final Database database = Servers.database().fresh();

	private final JdbcClient jdbc = JdbcClient.create(
			new DriverManagerDataSource(this.database.jdbcUrl(), this.database.username(), this.database.password()));

	@Test
	void withoutItsTableAnApplicationDoesNotStart() {
		assertRefused("inbox_message", "missing");
	}

	@Test
	void norDoesTheChildOfAnotherContext() {
		try (AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext()) {
			parent.refresh();
			assertThatExceptionOfType(OutboxConfigurationException.class)
				.isThrownBy(() -> application().childOf(parent).start().close())
				.withMessageContaining("missing");
		}
	}

	private static List<String> columns() {
		String others = ", processing_id BIGINT, processed_at %s, PRIMARY KEY (%s)";
		if (Servers.database().isH2()) {
			String key = others.formatted("TIMESTAMP(6) WITH TIME ZONE", "consumer, message_id");
			return List.of("consumer VARCHAR(100), message_id VARCHAR_IGNORECASE(255)" + key,
					"consumer VARCHAR_IGNORECASE(100), message_id VARCHAR(255)" + key,
					"consumer VARCHAR(100), message_id CHAR(255)" + key,
					"consumer VARCHAR(100), message_id VARCHAR(255)"
							+ others.formatted("TIMESTAMP(6) WITH TIME ZONE", "message_id"));
		}
		return Servers.database().isPostgreSql()
				? List.of(
						"consumer VARCHAR(100), message_id VARCHAR(255) COLLATE \"C\""
								+ others.formatted("TIMESTAMPTZ", "consumer, message_id"),
						"consumer VARCHAR(100) COLLATE blurred, message_id BYTEA"
								+ others.formatted("TIMESTAMPTZ", "consumer, message_id"),
						"consumer VARCHAR(100), message_id BYTEA" + others.formatted("TIMESTAMPTZ", "message_id"))
				: List.of(
						"consumer VARCHAR(100), message_id VARCHAR(255) COLLATE utf8mb4_general_ci"
								+ others.formatted("DATETIME(6)", "consumer, message_id"),
						"consumer VARCHAR(100), message_id VARCHAR(255) COLLATE utf8mb4_bin"
								+ others.formatted("DATETIME(6)", "consumer, message_id"),
						"consumer VARCHAR(100), message_id VARBINARY(255)"
								+ others.formatted("DATETIME(6)", "message_id"));
	}

	@ParameterizedTest
	@MethodSource("columns")
	void aTableInWhichDifferentMessagesAreEqualIsRefused(String columns) {
		if (this.database.isPostgreSql()) {
			this.jdbc
				.sql("CREATE COLLATION blurred (provider = icu, locale = 'und-u-ks-level2', deterministic = false)")
				.update();
		}
		this.jdbc
			.sql("CREATE TABLE inbox_message (%s) %s".formatted(columns,
					this.database.choose("CHARACTER SET utf8mb4", "")))
			.update();
		assertRefused("inbox_message", "primary key (consumer, message_id)");
	}

	@Test
	void aTableWithoutAColumnIsRefused() {
		String bytes = this.database.choose("VARBINARY(100)", "BYTEA");
		this.jdbc
			.sql("CREATE TABLE inbox_message (consumer %1$s, message_id %1$s, processing_id BIGINT)".formatted(bytes))
			.update();
		assertRefused("inbox_message", "processed_at");
	}

	@Test
	void aTableWithoutItsIndexIsRefusedWithTheStatementThatAddsIt() {
		application().with("outbox.inbox.initialize-schema", "always").start().close();
		this.jdbc
			.sql(this.database.choose("ALTER TABLE inbox_message DROP KEY inbox_message_age",
					"DROP INDEX inbox_message_age"))
			.update();
		assertRefused("has no index 'inbox_message_age' (processed_at)",
				this.database.choose("ALTER TABLE inbox_message ADD KEY inbox_message_age (processed_at);",
						"CREATE INDEX IF NOT EXISTS inbox_message_age ON inbox_message (processed_at);"));
	}

	// Before the script says of it that it is of this version
	@ParameterizedTest
	@ValueSource(strings = { "always", "never" })
	void aTableOfANewerVersionIsRefused(String mode) {
		application().with("outbox.inbox.initialize-schema", "always").start().close();
		this.jdbc
			.sql(this.database.choose("ALTER TABLE inbox_message COMMENT =", "COMMENT ON TABLE inbox_message IS")
					+ " 'inbox schema 2'")
			.update();
		assertThatException()
			.isThrownBy(() -> application().with("outbox.inbox.initialize-schema", mode).start().close())
			.satisfies((ex) -> assertThat(NestedExceptionUtils.getMostSpecificCause(ex))
				.isInstanceOf(OutboxConfigurationException.class)
				.hasMessageContainingAll("'inbox_message'", "schema 2", "works with schema 1"));
	}

	@Test
	void theTableCanHaveAnotherName() {
		try (OutboxApplication application = application().with("outbox.inbox.initialize-schema", "always")
			.with("outbox.inbox.table", "shop_processed")
			.start()) {
			assertThat(application.bean(Inbox.class).process("billing", "m1", () -> {
			})).isTrue();
			assertThat(this.jdbc.sql("SELECT COUNT(*) FROM shop_processed").query(Integer.class).single()).isOne();
		}
		application().with("outbox.inbox.table", "shop_processed").start().close();
	}

	@Test
	void severalInstancesMakeTheTableTogether() {
		for (int i = 0; i < 2; i++) {
			application().with("outbox.inbox.initialize-schema", "always").start().close();
		}
		application().start().close();
	}

	// Without a lock PostgreSQL, and at times H2, refuses all but one of them
	@RepeatedTest(5)
	void instancesThatStartAtTheSameTimeMakeTheTablesOneAfterTheOther() {
		Database fresh = Servers.database().fresh();
		DriverManagerDataSource dataSource = new DriverManagerDataSource(fresh.jdbcUrl(), fresh.username(),
				fresh.password());
		CyclicBarrier start = new CyclicBarrier(4);
		List<CompletableFuture<Void>> instances = Stream
			.generate(() -> CompletableFuture.runAsync(() -> create(dataSource, fresh.platform(), start),
					OwnThread.OWN_THREAD))
			.limit(start.getParties())
			.toList();
		instances.forEach(CompletableFuture::join);
		assertThat(
				JdbcClient.create(dataSource).sql("SELECT COUNT(*) FROM inbox_message").query(Integer.class).single())
			.isZero();
	}

	private static void create(DataSource dataSource, String platform, CyclicBarrier start) {
		InboxSchema schema = new InboxSchema(platform, "inbox_message", "inbox_dead_letter");
		schema.create(dataSource, new SchemaScript(""), (one, nothing) -> {
		});
		try {
			start.await(20, TimeUnit.SECONDS);
		}
		catch (InterruptedException | BrokenBarrierException | TimeoutException ex) {
			throw new IllegalStateException(ex);
		}
		schema.create(dataSource, schema.script(),
				(one, script) -> new ResourceDatabasePopulator(new ByteArrayResource(script.text().getBytes(UTF_8)))
					.execute(one));
	}

	@ParameterizedTest
	@ValueSource(strings = { "Oracle", "HSQL Database Engine", "Microsoft SQL Server" })
	void aDatabaseWithoutAnInboxIsRefusedByItsName(String product) {
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(() -> InboxSql.of(product))
			.withMessageContainingAll(product, "MySQL 8.0.17", "MariaDB 10.6", "PostgreSQL 14", "H2 2.4",
					"outbox.inbox.enabled=false");
	}

	private void assertRefused(String... words) {
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(() -> application().start().close())
			.withMessageContainingAll(words)
			.withMessageContaining("outbox.inbox.initialize-schema=always");
	}

	private OutboxApplication.Builder application() {
		return OutboxApplication.on(this.database)
			.withoutRelay()
			.with("outbox.inbox.enabled", true)
			.with("outbox.inbox.initialize-schema", "never");
	}

}
