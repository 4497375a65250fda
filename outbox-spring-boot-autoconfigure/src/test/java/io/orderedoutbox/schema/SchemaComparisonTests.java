/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.inbox.InboxSchema;
import io.orderedoutbox.jdbc.OutboxSchema;
import io.orderedoutbox.schema.Difference.Kind;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Whatever a table lacks is found, and the statement that is named makes it as it should
 * be.
 */
class SchemaComparisonTests {

	private static final String PLATFORM = Servers.database().platform();

	// Of other databases it is in another place, too
	private static final String STATISTICS_OF_POSTGRESQL = """
			SELECT COALESCE(SUM(i.indnkeyatts), 0) FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
			WHERE c.relnamespace = to_regnamespace(current_schema())""";

	private static final SchemaDialect DIALECT = SchemaDialect.of(PLATFORM);

	private static final Set<String> DISTINCT = Set.of("partition_key", "ordering_key", "message_id", "shards",
			"consumer");

	private SingleConnectionDataSource connection;

	private JdbcTemplate jdbc;

	static Stream<SchemaScript> scripts() {
		return Stream.of(OutboxSchema.script(PLATFORM, "outbox_", 64),
				OutboxSchema.script(PLATFORM, "Shop2_outbox_", 7),
				new InboxSchema(PLATFORM, "inbox_message", "inbox_dead_letter").script(),
				new InboxSchema(PLATFORM, "done", "dead").script());
	}

	@BeforeEach
	void createSchema() {
		Database database = Servers.database().fresh();
		this.connection = new SingleConnectionDataSource(database.jdbcUrl(), database.username(), database.password(),
				true);
		this.jdbc = new JdbcTemplate(this.connection);
	}

	@AfterEach
	void close() {
		this.connection.destroy();
	}

	@ParameterizedTest
	@MethodSource("scripts")
	void nothingIsMissingAfterTheScript(SchemaScript script) {
		run(script.statements());
		assertThat(differences(script)).isEmpty();
		assertThat(script.tables().stream().mapToInt((table) -> table.columns().size()).sum())
			.isEqualTo(count("columns"));
		assertThat(script.tables()
			.stream()
			.flatMap((table) -> table.indexes().stream())
			.mapToInt((index) -> index.columns().size())
			.sum()).isEqualTo(count("statistics"));
	}

	@ParameterizedTest
	@MethodSource("scripts")
	void everyTableIsMissingBeforeTheScriptAndItsStatementMakesIt(SchemaScript script) {
		List<Difference> differences = differences(script);
		assertThat(differences).hasSameSizeAs(script.tables()).allMatch((missing) -> missing.kind() == Kind.TABLE);
		run(differences.stream().map(Difference::statement).toList());
		assertThat(differences(script)).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("scripts")
	void everyMissingColumnIsFoundAndItsStatementAddsIt(SchemaScript script) {
		run(script.statements());
		for (TableDefinition table : script.tables()) {
			for (ColumnDefinition column : table.columns()) {
				// Others depend on these
				boolean isNeeded = table.indexes().stream().anyMatch((index) -> index.columns().contains(column.name()))
						|| table.columns()
							.stream()
							.anyMatch((other) -> other.definition().contains("(%s)".formatted(column.name())));
				if (!isNeeded) {
					this.jdbc.execute("ALTER TABLE %s DROP COLUMN %s".formatted(table.name(), column.name()));
					assertFoundAndMended(script,
							"table '%s' has no column '%s'".formatted(table.name(), column.name()));
				}
			}
		}
	}

	@ParameterizedTest
	@MethodSource("scripts")
	void everyMissingIndexIsFoundAndItsStatementAddsIt(SchemaScript script) {
		run(script.statements());
		for (TableDefinition table : script.tables()) {
			for (IndexDefinition index : table.indexes()) {
				if (!index.isPrimary() && !index.name().endsWith("message_id")) {
					this.jdbc.execute(choose("ALTER TABLE %s DROP KEY %s", "DROP INDEX %2$s").formatted(table.name(),
							index.name()));
					assertFoundAndMended(script, "table '%s' has no index '%s'".formatted(table.name(), index.name()));
				}
			}
		}
	}

	@Test
	void anIndexOverOtherColumnsIsFoundAndItsStatementChangesIt() {
		SchemaScript script = OutboxSchema.script(PLATFORM, "outbox_", 64);
		run(script.statements());
		this.jdbc.execute(choose(
				"ALTER TABLE outbox_parked DROP KEY outbox_parked_due, ADD KEY outbox_parked_due (partition_id, lane)",
				"DROP INDEX outbox_parked_due; CREATE INDEX outbox_parked_due ON outbox_parked (partition_id, lane)"));
		assertFoundAndMended(script,
				"table 'outbox_parked' has no index 'outbox_parked_due' (partition_id, available_at%s), but one with that name over (partition_id, lane)"
					.formatted(choose("", ", lane")));
		this.jdbc.execute(choose("ALTER TABLE outbox_message DROP PRIMARY KEY, ADD PRIMARY KEY (id, lane)",
				"ALTER TABLE outbox_message DROP CONSTRAINT outbox_message_pkey, ADD PRIMARY KEY (id, lane)"));
		assertFoundAndMended(script,
				"table 'outbox_message' has no primary key (lane, id), but one with that name over (id, lane)");
	}

	@Test
	void aCollationInWhichDifferentTextsAreEqualIsFoundInEveryTableAndItsStatementChangesIt() {
		SchemaScript script = OutboxSchema.script(PLATFORM, "outbox_", 64);
		run(script.statements());
		for (String table : List.of("outbox_message", "outbox_parked", "outbox_dead_letter", "outbox_archive")) {
			for (String collation : collations()) {
				this.jdbc.execute(choose(
						"ALTER TABLE %s MODIFY partition_key VARCHAR(255) CHARACTER SET utf8mb4 COLLATE %s NOT NULL",
						"ALTER TABLE %s ALTER COLUMN partition_key TYPE VARCHAR(255) COLLATE %s")
					.formatted(table, collation));
				assertFoundAndMended(script,
						"column 'partition_key' of table '%s' has the collation %s".formatted(table, collation));
			}
			this.jdbc.execute(choose("ALTER TABLE %s MODIFY partition_key VARBINARY(255) NOT NULL",
					"ALTER TABLE %s ALTER COLUMN partition_key TYPE VARCHAR(255) COLLATE \"default\"")
				.formatted(table));
		}
		assertThat(differences(script)).isEmpty();
	}

	private List<String> collations() {
		if (!Servers.database().isPostgreSql()) {
			return List.of("utf8mb4_bin", "utf8mb4_unicode_ci");
		}
		this.jdbc.execute(
				"CREATE COLLATION IF NOT EXISTS blurred (provider = icu, locale = 'und-u-ks-level2', deterministic = false)");
		return List.of("blurred");
	}

	private static String choose(String mysql, String postgresql) {
		return Servers.database().choose(mysql, postgresql);
	}

	@Test
	void onlyColumnsThatRowsNeedNotBeTouchedForAreAddable() {
		SchemaScript script = OutboxSchema.script(PLATFORM, "outbox_", 64);
		List<String> addable = new ArrayList<>();
		for (TableDefinition table : script.tables()) {
			table.columns()
				.stream()
				.filter(ColumnDefinition::isAddable)
				.forEach((column) -> addable.add(table.name().substring("outbox_".length()) + "." + column.name()));
		}
		assertThat(addable).containsExactlyInAnyOrder("message.partition_key", "message.headers", "message.attempts",
				"message.last_error", "message.failed_at", "parked.is_delayed", "dead_letter.headers",
				"dead_letter.last_error", "dead_letter.failed_at", "archive.headers", "archive.last_error",
				"audit.operator", "audit.error", "partition.retry_at");
	}

	@Test
	void theVersionCanBeReadFromTheScriptAndFromTheDatabase() {
		assertThat(SchemaVersion.of(this.jdbc, DIALECT, "outbox_message").number()).isZero();
		scripts().forEach((script) -> run(script.statements()));
		assertThat(SchemaVersion.of(this.jdbc, DIALECT, "outbox_message").number())
			.isEqualTo(SchemaVersion.of(OutboxSchema.script(PLATFORM, "outbox_", 64)).number())
			.isEqualTo(2);
		assertThat(SchemaVersion.of(this.jdbc, DIALECT, "Shop2_outbox_message").number()).isEqualTo(2);
		assertThat(SchemaVersion.of(this.jdbc, DIALECT, "inbox_message").number()).isOne();
		assertThat(SchemaVersion.of(this.jdbc, DIALECT, "outbox_parked").number()).isZero();
	}

	@Test
	void aPlatformWithoutScriptsIsRefused() {
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> OutboxSchema.script("oracle", "outbox_", 64))
			.withMessageContainingAll("'oracle'", "mariadb, mysql");
	}

	private void assertFoundAndMended(SchemaScript script, String text) {
		List<Difference> differences = differences(script);
		assertThat(differences).as(text).hasSize(1);
		assertThat(differences.get(0).text()).startsWith(text);
		run(List.of(differences.get(0).statement()));
		assertThat(differences(script)).as(text).isEmpty();
	}

	private List<Difference> differences(SchemaScript script) {
		return new SchemaComparison(script, DIALECT, DISTINCT).differences(this.jdbc);
	}

	private void run(List<String> statements) {
		statements.forEach(this.jdbc::execute);
	}

	private int count(String what) {
		String counted = "SELECT COUNT(*) FROM information_schema.%s WHERE table_schema = DATABASE()".formatted(what);
		Integer count = this.jdbc.queryForObject(
				what.equals("statistics") ? choose(counted, STATISTICS_OF_POSTGRESQL) : counted, Integer.class);
		return (count != null) ? count : 0;
	}

}
