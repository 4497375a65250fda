/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.orderedoutbox.inbox.Inbox;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Flyway and Liquibase make the tables with the scripts of the library, and bring those
 * of the first release up to date, before the outbox looks at them. Nothing but their own
 * configuration says so.
 */
class MigrationToolTests {

	private static final String PLATFORM = Servers.database().platform();

	private static final String STRUCTURE_OF_POSTGRESQL = """
			SELECT c.relname, obj_description(c.oid, 'pg_class') AS comment, c.reloptions::text, a.attnum, a.attname,
			format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull, a.attidentity::text, a.attgenerated::text,
			a.attcollation::regcollation::text, pg_get_expr(d.adbin, d.adrelid) AS expression,
			(SELECT string_agg(pg_get_indexdef(i.indexrelid, 0, true), ';' ORDER BY i.indexrelid::regclass::text)
			FROM pg_index i WHERE i.indrelid = c.oid) AS indexes
			FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
			LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
			WHERE c.relnamespace = to_regnamespace(current_schema()) AND c.relkind = 'r' AND a.attnum > 0
			AND NOT a.attisdropped AND c.relname LIKE 'outbox\\_%' ORDER BY 1, a.attnum""";

	private static final String STRUCTURE_OF_H2 = """
			SELECT c.table_name, t.remarks, c.ordinal_position, c.column_name, c.column_default, c.is_nullable, c.is_identity,
			c.is_generated, c.generation_expression, c.data_type, c.character_maximum_length, c.datetime_precision, c.remarks,
			(SELECT LISTAGG(CONCAT(i.ordinal_position, ' of ', i.is_unique, ' ', k.index_type_name), ';')
			WITHIN GROUP (ORDER BY i.ordinal_position, i.is_unique, k.index_type_name)
			FROM information_schema.index_columns i JOIN information_schema.indexes k
			ON k.index_name = i.index_name AND k.table_name = i.table_name AND k.table_schema = i.table_schema
			WHERE i.table_schema = c.table_schema AND i.table_name = c.table_name AND i.column_name = c.column_name) AS indexes
			FROM information_schema.columns c JOIN information_schema.tables t
			ON t.table_schema = c.table_schema AND t.table_name = c.table_name
			WHERE c.table_schema = 'PUBLIC' AND c.table_name LIKE 'OUTBOX\\_%' ORDER BY 1, 3""";

	private final Database database = ofItsOwnDriver(empty(Servers.database().fresh()));

	private final JdbcClient jdbc = JdbcClient.create(
			new DriverManagerDataSource(this.database.jdbcUrl(), this.database.username(), this.database.password()));

	@ParameterizedTest
	@EnumSource
	void makesTheTablesInAnEmptyDatabase(Tool tool) {
		storesAnEvent(tool.on(application("never"), tool.outbox()));
		assertStructureIsThatOfTheScript();
	}

	@ParameterizedTest
	@EnumSource
	void makesTheTablesOfAnOutboxWithAName(Tool tool) {
		storesAnEvent(tool.on(application("never"), tool.outbox())
			.with("outbox.enabled", false)
			.with("outbox.named.billing.jdbc.initialize-schema", "never")
			.with("outbox.named.billing.relay.mode", "off"));
		assertStructureIsThatOfTheScript();
	}

	@ParameterizedTest
	@EnumSource
	void leavesTablesThatAreUpToDateAsTheyAre(Tool tool) {
		run("io/orderedoutbox/jdbc/schema-%s.sql");
		storesAnEvent(tool.on(onExistingTables(), tool.outbox()));
		storesAnEvent(tool.on(onExistingTables(), tool.outbox()));
		assertStructureIsThatOfTheScript();
	}

	@ParameterizedTest
	@EnumSource
	void bringsTheTablesOfTheFirstReleaseUpToDate(Tool tool, @TempDir Path own) throws Exception {
		OutboxTables.skipOnPostgreSql("the first release had no tables for it");
		run("io/orderedoutbox/jdbc/schema-1-%s.sql");
		for (int i = 0; i < 100; i++) {
			this.jdbc.sql("""
					INSERT INTO outbox_message (message_id, name, partition_key, exchange, routing_key, content_type,
					payload, created_at, available_at) VALUES (UUID(), 'order.placed', ?, '', 'q', 'text/plain', 'x',
					UTC_TIMESTAMP(6), UTC_TIMESTAMP(6))""").param("key " + i % 10).update();
		}
		List<Map<String, Object>> before = rows("id, message_id, partition_key");
		Files.write(own.resolve("V7__outbox_1_to_2.sql"),
				new ClassPathResource("io/orderedoutbox/jdbc/migration-1-to-2-%s.sql".formatted(PLATFORM))
					.getContentAsByteArray());
		storesAnEvent(tool.on(onExistingTables(), tool.outbox(), "filesystem:" + own));
		assertThat(rows("id, message_id, partition_key").subList(0, 100)).isEqualTo(before);
		assertThat(this.jdbc.sql("SELECT COUNT(*) FROM outbox_message WHERE lane <> CRC32(partition_key) % 64")
			.query(Integer.class)
			.single()).isZero();
		assertStructureIsThatOfTheScript();
	}

	@ParameterizedTest
	@EnumSource
	void makesTheTablesOfTheInbox(Tool tool) {
		try (OutboxApplication application = tool.on(application("never"), tool.both())
			.with("outbox.inbox.enabled", true)
			.with("outbox.inbox.initialize-schema", "never")
			.start()) {
			assertThat(application.bean(Inbox.class).process("billing", "m1", () -> {
			})).isTrue();
		}
	}

	// A tool that found tables before its own would refuse to begin
	@ParameterizedTest
	@EnumSource
	void migrationsOfTheApplicationComeBeforeTablesThatTheOutboxMakes(Tool tool) {
		try (OutboxApplication application = tool.on(application("always"), tool.shop())
			.with("outbox.inbox.enabled", true)
			.with("outbox.inbox.initialize-schema", "always")
			.start()) {
			assertThat(application.jdbc().sql("SELECT COUNT(*) FROM shop").query(Integer.class).single()).isOne();
			application.publish(new OrderPlaced("a", 1));
		}
		assertThat(this.jdbc.sql("SELECT COUNT(*) FROM inbox_message").query(Integer.class).single()).isZero();
	}

	@ParameterizedTest
	@CsvSource({ "FLYWAY, always", "FLYWAY, never", "LIQUIBASE, always", "LIQUIBASE, never" })
	void besideSpringSqlInit(Tool tool, String mode) {
		storesAnEvent(tool.on(application(mode), tool.outbox())
			.with("spring.sql.init.mode", "always")
			.with("spring.sql.init.schema-locations", "classpath:io/orderedoutbox/migrations/shop/V1__shop.sql"));
	}

	@Test
	void theScriptsOfFlywayAreThoseOfTheLibrary() throws Exception {
		for (String name : List.of("outbox,jdbc", "inbox,inbox")) {
			String kind = name.split(",")[0];
			String script = "io/orderedoutbox/%s/schema-%s.sql".formatted(name.split(",")[1], PLATFORM);
			assertThat(new ClassPathResource(
					"io/orderedoutbox/flyway/%s/%s/R__ordered_%s.sql".formatted(kind, PLATFORM, kind))
				.getContentAsByteArray()).isEqualTo(new ClassPathResource(script).getContentAsByteArray());
		}
	}

	// The words that tests use there are no part of an empty database
	private static Database empty(Database database) {
		if (database.isPostgreSql()) {
			JdbcClient jdbc = JdbcClient
				.create(new DriverManagerDataSource(database.jdbcUrl(), database.username(), database.password()));
			String schema = jdbc.sql("SELECT current_schema()").query(String.class).single();
			jdbc.sql("DROP SCHEMA %1$s CASCADE; CREATE SCHEMA %1$s".formatted(schema)).update();
		}
		return database;
	}

	// By the driver, Liquibase tells MariaDB from MySQL
	private static Database ofItsOwnDriver(Database database) {
		return !PLATFORM.equals("mariadb") ? database
				: new Database(database.kind(), database.jdbcUrl().replace("jdbc:mysql:", "jdbc:mariadb:"),
						database.username(), database.password(), database.version());
	}

	private Builder application(String mode) {
		return OutboxApplication.on(this.database).withoutRelay().with("outbox.jdbc.initialize-schema", mode);
	}

	private Builder onExistingTables() {
		return application("never").with("spring.flyway.baseline-on-migrate", true)
			.with("spring.flyway.baseline-version", "0");
	}

	private static void storesAnEvent(Builder builder) {
		try (OutboxApplication application = builder.start()) {
			long depth = application.depth();
			application.publish(new OrderPlaced("a", 1));
			assertThat(application.depth()).isEqualTo(depth + 1);
		}
	}

	private List<Map<String, Object>> rows(String columns) {
		return this.jdbc.sql("SELECT %s FROM outbox_message ORDER BY id".formatted(columns)).query().listOfRows();
	}

	private void run(String script) {
		ResourceDatabasePopulator populator = new ResourceDatabasePopulator(
				new ClassPathResource(script.formatted(PLATFORM)));
		populator.execute(new DriverManagerDataSource(this.database.jdbcUrl(), this.database.username(),
				this.database.password()));
	}

	private void assertStructureIsThatOfTheScript() {
		try (OutboxTables fresh = new OutboxTables()) {
			assertThat(structure(this.jdbc)).isNotEmpty().isEqualTo(structure(fresh.jdbc()));
		}
	}

	private static List<Map<String, Object>> structure(JdbcClient jdbc) {
		return jdbc.sql(Servers.database().isPostgreSql() ? STRUCTURE_OF_POSTGRESQL
				: Servers.database().isH2() ? STRUCTURE_OF_H2
						: """
								SELECT c.table_name, t.table_comment, c.ordinal_position, c.column_name, c.column_default, c.is_nullable,
								c.column_type, c.collation_name, c.extra, (SELECT GROUP_CONCAT(s.index_name, s.seq_in_index ORDER BY 1)
								FROM information_schema.statistics s WHERE s.table_schema = c.table_schema AND s.table_name = c.table_name
								AND s.column_name = c.column_name) AS indexes
								FROM information_schema.columns c JOIN information_schema.tables t
								ON t.table_schema = c.table_schema AND t.table_name = c.table_name
								WHERE c.table_schema = DATABASE() AND c.table_name LIKE 'outbox\\\\_%' ORDER BY 1, 3""")
			.query()
			.listOfRows();
	}

	/**
	 * A tool, and how an application is told to use it.
	 */
	enum Tool {

		FLYWAY {

			@Override
			Builder on(Builder builder, String... scripts) {
				String locations = Stream.of(scripts)
					.flatMap((script) -> Stream.of(script.split(",")))
					.map((script) -> script.contains(":") ? script : "classpath:io/orderedoutbox/" + script)
					.collect(Collectors.joining(","));
				return builder.with("spring.flyway.enabled", true).with("spring.flyway.locations", locations);
			}

			@Override
			String outbox() {
				return "flyway/outbox/" + PLATFORM;
			}

			@Override
			String both() {
				return outbox() + ",flyway/inbox/" + PLATFORM;
			}

			@Override
			String shop() {
				return "migrations/shop";
			}

		},

		LIQUIBASE {

			@Override
			Builder on(Builder builder, String... scripts) {
				return builder.with("spring.liquibase.enabled", true)
					.with("spring.liquibase.change-log", "classpath:io/orderedoutbox/" + scripts[0]);
			}

			@Override
			String outbox() {
				return "liquibase/outbox.xml";
			}

			@Override
			String both() {
				return "migrations/both.xml";
			}

			@Override
			String shop() {
				return "migrations/shop.xml";
			}

		};

		abstract Builder on(Builder builder, String... scripts);

		abstract String outbox();

		abstract String both();

		abstract String shop();

	}

}
