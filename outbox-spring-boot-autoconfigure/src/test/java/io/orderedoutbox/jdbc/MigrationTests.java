/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import io.orderedoutbox.autoconfigure.OutboxJdbcProperties;
import io.orderedoutbox.autoconfigure.OutboxSchemaInitializer;
import io.orderedoutbox.jdbc.claim.ClaimWorker;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * From the tables of schema 1, with messages in every state, to those of schema 2.
 */
@Timeout(120)
class MigrationTests {

	private static final String SOON = "TIMESTAMPADD(HOUR, 1, UTC_TIMESTAMP(6))";

	private static final String PAST = "TIMESTAMPADD(HOUR, -1, UTC_TIMESTAMP(6))";

	private static final String NEVER = "'9999-12-31'";

	private static final String CONTENT = """
			SELECT id, message_id, name, partition_key, exchange, routing_key, content_type, HEX(payload), payload_size, headers,
			created_at, available_at, attempts, last_error, failed_at FROM outbox_message ORDER BY id""";

	private final HikariDataSource pool = new HikariDataSource();

	private final JdbcClient jdbc = JdbcClient.create(this.pool);

	private String platform;

	// By key, in the order of their positions
	private final Map<String, List<Long>> written = new LinkedHashMap<>();

	private long position;

	@BeforeEach
	void createOldTables() {
		Database database = Servers.database().fresh();
		this.platform = database.isMySql() ? "mysql" : "mariadb";
		this.pool.setJdbcUrl(database.jdbcUrl());
		this.pool.setUsername(database.username());
		this.pool.setPassword(database.password());
		this.pool.setMaximumPoolSize(2);
		run("schema-1-%s.sql");
	}

	@AfterEach
	void close() {
		this.pool.close();
	}

	@Test
	void everyMessageGoesToItsLaneAndStaysAsItIs() {
		writeMany();
		Map<String, Long> parked = failSome();
		List<Map<String, Object>> before = rows(CONTENT);
		assertThat(before).hasSizeGreaterThan(1000);
		migrate();
		assertThat(rows(CONTENT)).usingRecursiveComparison().isEqualTo(before);
		Partitions partitions = new Partitions();
		Set<Long> lanesWithoutKey = new HashSet<>();
		for (Map<String, Object> row : rows("SELECT lane, partition_key, id FROM outbox_message")) {
			String key = (String) row.get("partition_key");
			long lane = (Long) row.get("lane");
			if (!key.isEmpty()) {
				assertThat(lane).as(key).isEqualTo(parked.getOrDefault(key, (long) partitions.of(key)));
			}
			else if (lane >= 0) {
				lanesWithoutKey.add(lane);
			}
			else {
				assertThat(lane).isEqualTo(-(Long) row.get("id"));
			}
		}
		assertThat(lanesWithoutKey).hasSizeGreaterThan(30).allMatch((lane) -> lane < 64);
	}

	@Test
	void keysWhoseHeadHasFailedOrIsNotDueAreParked() {
		writeMany();
		Map<String, Long> parked = failSome();
		migrate();
		assertThat(this.jdbc.sql("SELECT lane FROM outbox_parked WHERE partition_key <> ''").query(Long.class).list())
			.containsExactlyInAnyOrderElementsOf(parked.values());
		assertThat(this.jdbc.sql("SELECT lane FROM outbox_message WHERE lane < 0 AND partition_key = ''")
			.query(Long.class)
			.list()).hasSize(2)
			.containsExactlyInAnyOrderElementsOf(
					this.jdbc.sql("SELECT lane FROM outbox_parked WHERE partition_key = ''").query(Long.class).list());
		assertThat(this.jdbc.sql("""
				SELECT COUNT(*) FROM outbox_parked k JOIN outbox_message m ON m.lane = k.lane AND m.id = -k.lane
				WHERE k.available_at = m.available_at AND k.partition_key = m.partition_key
				AND k.key_hash = CRC32(m.partition_key)
				AND (m.partition_key = '' OR k.partition_id = CRC32(m.partition_key) % 64)""")
			.query(Integer.class)
			.single()).isEqualTo(parked.size() + 2);
		assertThat(rows(
				"SELECT partition_id AS id, MIN(available_at) AS retry_at FROM outbox_parked GROUP BY 1 ORDER BY 1"))
			.isEqualTo(rows("SELECT id, retry_at FROM outbox_partition WHERE retry_at IS NOT NULL ORDER BY 1"));
	}

	@Test
	void everythingIsRelayedInTheOrderOfItsPositions() {
		writeMany();
		Map<String, Long> parked = failSome();
		migrate();
		ClaimWorker worker = ClaimWorker.of(this.pool, ClaimWorker.settings(true, 200));
		Map<String, List<Long>> relayed = new HashMap<>();
		drain(worker, relayed);
		assertThat(relayed.keySet()).doesNotContain("waiting", "blocked", "delayed").contains("due", "second failed");
		assertThat(this.jdbc.sql("SELECT COUNT(*) FROM outbox_message WHERE lane >= 0").query(Integer.class).single())
			.isZero();
		// Behind what waits
		for (String key : parked.keySet()) {
			new JdbcOutboxStore(worker.database(), true).append(List.of(OutboxTables.message(key)));
			this.written.get(key).add(this.jdbc.sql("SELECT MAX(id) FROM outbox_message").query(Long.class).single());
		}
		drain(worker, relayed);
		this.jdbc.sql("UPDATE outbox_parked SET available_at = UTC_TIMESTAMP(6)").update();
		this.jdbc.sql("UPDATE outbox_partition SET retry_at = UTC_TIMESTAMP(6) WHERE retry_at IS NOT NULL").update();
		this.jdbc.sql("UPDATE outbox_message SET available_at = UTC_TIMESTAMP(6) WHERE failed_at IS NULL").update();
		drain(worker, relayed);
		assertThat(relayed.remove("")).containsExactlyInAnyOrderElementsOf(this.written.remove(""));
		assertThat(relayed).isEqualTo(this.written);
		assertThat(this.jdbc.sql("SELECT COUNT(*) FROM outbox_parked").query(Integer.class).single()).isZero();
	}

	@Test
	void positionsGoOnWhereTheyWere() {
		write(List.of("a", "a", "a"));
		this.jdbc.sql("DELETE FROM outbox_message").update();
		migrate();
		new JdbcOutboxStore(new OutboxDatabase(this.pool, "outbox_"), true).append(List.of(OutboxTables.message("a")));
		assertThat(this.jdbc.sql("SELECT id FROM outbox_message").query(Long.class).single())
			.isGreaterThan(this.position);
	}

	@Test
	void theTablesAreThoseThatTheScriptCreates() {
		writeMany();
		failSome();
		migrate();
		Map<String, Object> migrated = structure();
		OutboxJdbcProperties properties = new OutboxJdbcProperties();
		properties.setInitializeSchema(DatabaseInitializationMode.NEVER);
		assertThatNoException().isThrownBy(
				() -> new OutboxSchemaInitializer(new OutboxDatabase(this.pool, "outbox_"), properties).check());
		try (OutboxTables fresh = new OutboxTables()) {
			assertThat(migrated).isEqualTo(structure(fresh.jdbc()));
		}
	}

	@Test
	void emptyTablesAreMigratedToo() {
		migrate();
		new JdbcOutboxStore(new OutboxDatabase(this.pool, "outbox_"), true).append(List.of(OutboxTables.message("a")));
		Map<String, List<Long>> relayed = new HashMap<>();
		drain(ClaimWorker.of(this.pool, ClaimWorker.settings(true, 200)), relayed);
		assertThat(relayed).containsOnlyKeys("a");
	}

	// Of a script that was interrupted, at the last statement or before
	@ParameterizedTest
	@ValueSource(ints = { 2, 8, 13 })
	void whatIsBetweenTheAlterationsCanBeRepeated(int interruptedAt) {
		writeMany();
		Map<String, Long> parked = failSome();
		List<String> statements = statements();
		statements.subList(0, interruptedAt).forEach((sql) -> this.jdbc.sql(sql).update());
		statements.subList(1, statements.size()).forEach((sql) -> this.jdbc.sql(sql).update());
		assertThat(this.jdbc.sql("SELECT lane FROM outbox_parked WHERE partition_key <> ''").query(Long.class).list())
			.containsExactlyInAnyOrderElementsOf(parked.values());
		assertThat(this.jdbc.sql("SELECT COUNT(*) FROM outbox_message m JOIN outbox_parked k ON m.lane = k.lane")
			.query(Integer.class)
			.single()).isEqualTo(4 * 3 + 2);
	}

	private void writeMany() {
		List<String> keys = new ArrayList<>(PartitionsTests.keys());
		IntStream.range(0, 200).forEach((i) -> keys.add("key " + i));
		keys.addAll(Collections.nCopies(80, ""));
		keys.addAll(List.of("waiting", "due", "blocked", "delayed", "second failed"));
		List<String> inTurn = new ArrayList<>();
		Random random = new Random(7);
		for (int round = 0; round < 3; round++) {
			Collections.shuffle(keys, random);
			inTurn.addAll(keys);
		}
		write(inTurn);
	}

	private void write(List<String> keys) {
		List<Object[]> rows = new ArrayList<>();
		for (String key : keys) {
			// Positions have gaps
			this.position += (this.position % 10 == 0) ? 7 : 1;
			this.written.computeIfAbsent(key, (absent) -> new ArrayList<>()).add(this.position);
			rows.add(new Object[] { this.position, UUID.randomUUID().toString(), key,
					("payload of " + key).getBytes(StandardCharsets.UTF_8) });
		}
		new TransactionTemplate(new JdbcTransactionManager(this.pool))
			.executeWithoutResult((status) -> new JdbcTemplate(this.pool).batchUpdate(
					"""
							INSERT INTO outbox_message (id, message_id, name, partition_key, exchange, routing_key, content_type, payload,
							headers, created_at, available_at) VALUES (?, ?, 'n', ?, 'e', 'r', 'text/plain', ?, '{"a":"b"}', %1$s, %1$s)"""
						.formatted(PAST),
					rows));
	}

	/**
	 * As the old relay did it.
	 * @return by key, the lanes of those that wait
	 */
	private Map<String, Long> failSome() {
		Map<String, Long> parked = new HashMap<>();
		parked.put("waiting", -fail("waiting", 0, SOON));
		parked.put("due", -fail("due", 0, PAST));
		parked.put("blocked", -fail("blocked", 0, NEVER));
		parked.put("delayed", -this.written.get("delayed").get(0));
		this.jdbc.sql("UPDATE outbox_message SET available_at = %s WHERE id = ?".formatted(SOON))
			.param(this.written.get("delayed").get(0))
			.update();
		fail("second failed", 1, SOON);
		fail("", 3, SOON);
		fail("", 5, NEVER);
		return parked;
	}

	private long fail(String key, int which, String availableAt) {
		long id = this.written.get(key).get(which);
		this.jdbc.sql(
				"UPDATE outbox_message SET attempts = 2, last_error = 'returned', failed_at = %s, available_at = %s WHERE id = ?"
					.formatted(PAST, availableAt))
			.param(id)
			.update();
		this.jdbc.sql("INSERT INTO outbox_failed (id) VALUES (?)").param(id).update();
		return id;
	}

	private void drain(ClaimWorker worker, Map<String, List<Long>> relayed) {
		worker.drain(1000)
			.forEach((batch) -> batch.forEach((message) -> relayed
				.computeIfAbsent(message.message().partitionKey(), (absent) -> new ArrayList<>())
				.add(message.id())));
	}

	private List<Map<String, Object>> rows(String sql) {
		return this.jdbc.sql(sql).query().listOfRows();
	}

	private Map<String, Object> structure() {
		return structure(this.jdbc);
	}

	private static Map<String, Object> structure(JdbcClient jdbc) {
		Map<String, Object> structure = new LinkedHashMap<>();
		structure.put("tables", jdbc.sql("""
				SELECT table_name, engine, table_comment FROM information_schema.tables
				WHERE table_schema = DATABASE() ORDER BY 1""").query().listOfRows());
		structure.put("columns", jdbc
			.sql("""
					SELECT table_name, ordinal_position, column_name, column_default, is_nullable, column_type, collation_name, extra,
					generation_expression, column_comment
					FROM information_schema.columns WHERE table_schema = DATABASE() ORDER BY 1, 2""")
			.query()
			.listOfRows());
		structure.put("indexes",
				jdbc.sql("""
						SELECT table_name, index_name, seq_in_index, column_name, non_unique
						FROM information_schema.statistics WHERE table_schema = DATABASE() ORDER BY 1, 2, 3""")
					.query()
					.listOfRows());
		structure.put("partitions", jdbc.sql("SELECT id FROM outbox_partition ORDER BY 1").query().listOfRows());
		structure.put("stripes", jdbc.sql("SELECT id FROM outbox_stripe ORDER BY 1").query().listOfRows());
		return structure;
	}

	private void migrate() {
		run("migration-1-to-2-%s.sql");
	}

	private void run(String script) {
		new ResourceDatabasePopulator(new ClassPathResource(script.formatted(this.platform), getClass()))
			.execute(this.pool);
	}

	private List<String> statements() {
		try {
			String script = new ClassPathResource("migration-1-to-2-%s.sql".formatted(this.platform), getClass())
				.getContentAsString(StandardCharsets.UTF_8);
			return List.of(script.strip().split(";\\s*\n"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
