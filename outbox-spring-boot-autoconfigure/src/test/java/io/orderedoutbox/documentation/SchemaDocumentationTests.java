/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.orderedoutbox.autoconfigure.OutboxJdbcProperties;
import io.orderedoutbox.documentation.Documents.Block;
import io.orderedoutbox.jdbc.JdbcOutboxStore;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.autoconfigure.OutboxSchemaInitializer;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.jdbc.Partitions;
import io.orderedoutbox.jdbc.claim.ClaimWorker;
import io.orderedoutbox.jdbc.claim.JdbcRelayStore;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Claims;
import io.orderedoutbox.store.StoredMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What the pages about tables and migration tell people to do keeps all messages, and
 * their order.
 */
class SchemaDocumentationTests {

	private final OutboxTables tables = new OutboxTables();

	// By key, in the order of their positions
	private final Map<String, List<Long>> written = new HashMap<>();

	@AfterEach
	void close() {
		this.tables.close();
	}

	@Test
	void theNumberOfPartitionsCanBeChanged() throws Exception {
		append(this.tables.outbox(), true);
		this.tables.stall("partition_key = 'key 3'");
		this.tables.block("partition_key = 'key 7'");
		List<Block> blocks = blocks("schema.md", "### Changing the number of partitions");
		assertThat(blocks).hasSize(2);
		blocks.forEach((block) -> block.run(this.tables.writer()));
		OutboxDatabase changed = new OutboxDatabase(this.tables.writer(), "outbox_", false,
				new Partitions(128, Partitions::crc32));
		OutboxJdbcProperties properties = new OutboxJdbcProperties();
		properties.setInitializeSchema(DatabaseInitializationMode.NEVER);
		new OutboxSchemaInitializer(changed, properties).check();
		append(changed, true);
		assertThat(this.tables.column(Integer.class, "lane", "outbox_message WHERE partition_key <> ''"))
			.isEqualTo(this.tables.column(Integer.class, "CRC32(partition_key) % 128",
					"outbox_message WHERE partition_key <> ''"));
		assertEverythingIsRelayedInOrder(changed);
	}

	@Test
	void theOrderedModeCanBeSwitchedOn() {
		append(this.tables.outbox(), false);
		this.tables.stall("partition_key IN ('', 'key 3') AND id % 2 = 0");
		List<Block> blocks = blocks("migration.md", "## From unordered to ordered");
		assertThat(blocks).hasSize(4);
		blocks.forEach((block) -> block.run(this.tables.writer()));
		append(this.tables.outbox(), true);
		assertEverythingIsRelayedInOrder(this.tables.outbox());
	}

	@Test
	void tablesOfAnEarlierVersionCanBeUpgraded() throws Exception {
		this.tables.jdbc()
			.sql("ALTER TABLE outbox_parked DROP KEY outbox_parked_delayed, DROP COLUMN is_delayed")
			.update();
		append(new OutboxDatabase(this.tables.writer(), "outbox_"), true);
		assertThatThrownBy(this::check).hasMessageContaining("outbox_parked");
		List<Block> blocks = Documents.blocks("mysql");
		assertThat(blocks).isNotEmpty().allMatch((block) -> block.document().equals("migration.md"));
		blocks.forEach((block) -> block.run(this.tables.writer()));
		check();
		assertEverythingIsRelayedInOrder(this.tables.outbox());
	}

	private void check() {
		OutboxJdbcProperties properties = new OutboxJdbcProperties();
		properties.setInitializeSchema(DatabaseInitializationMode.NEVER);
		new OutboxSchemaInitializer(this.tables.outbox(), properties).check();
	}

	@Test
	void aProgramWithoutTheLibraryHoldsTheStripeUntilItsCommit() {
		List<Block> blocks = blocks("schema.md", "## Writing from other languages");
		assertThat(blocks).hasSize(1);
		int partition = new Partitions().of("order-17");
		SingleConnectionDataSource program = this.tables.withoutPool();
		for (String statement : blocks.get(0).content().split(";\\s*\n")) {
			if (statement.startsWith("COMMIT")) {
				assertThat(freeStripes()).hasSize(63).doesNotContain(partition);
			}
			new JdbcTemplate(program).execute(statement);
		}
		assertThat(freeStripes()).hasSize(64);
		assertThat(this.tables.column(Integer.class, "lane", "outbox_message")).containsExactly(partition);
		ClaimWorker worker = ClaimWorker.of(this.tables, ClaimWorker.settings(true, 100));
		assertThat(worker.drain(2).get(0).get(0).message().partitionKey()).isEqualTo("order-17");
	}

	private List<Integer> freeStripes() {
		return this.tables.jdbc()
			.sql("SELECT id FROM outbox_stripe FOR UPDATE SKIP LOCKED")
			.query(Integer.class)
			.list();
	}

	private static List<Block> blocks(String document, String heading) {
		return Documents.blocks("sql")
			.stream()
			.filter((block) -> block.document().equals(document) && block.heading().equals(heading))
			.toList();
	}

	private void append(OutboxDatabase database, boolean ordered) {
		long before = this.tables.jdbc()
			.sql("SELECT COALESCE(MAX(id), 0) FROM outbox_message")
			.query(Long.class)
			.single();
		JdbcOutboxStore store = new JdbcOutboxStore(database, ordered);
		List<String> keys = new ArrayList<>(
				IntStream.range(0, 300).mapToObj((i) -> (i % 10 == 0) ? "" : "key " + i % 60).toList());
		Collections.shuffle(keys, new Random(1));
		for (int from = 0; from < keys.size(); from += 10) {
			store.append(keys.subList(from, from + 10).stream().map(OutboxTables::message).toList());
		}
		this.tables.jdbc()
			.sql("SELECT partition_key, id FROM outbox_message WHERE id > ? ORDER BY id")
			.param(before)
			.query((rs) -> {
				this.written.computeIfAbsent(rs.getString(1), (absent) -> new ArrayList<>()).add(rs.getLong(2));
			});
	}

	private void assertEverythingIsRelayedInOrder(OutboxDatabase database) {
		Map<String, List<Long>> relayed = new HashMap<>();
		Claims claims = new JdbcRelayStore(database, ClaimWorker.settings(true, 100)).claims();
		for (int i = 0; i < 500; i++) {
			try (Claim claim = claims.next()) {
				if (claim == null) {
					break;
				}
				List<StoredMessage> messages = claim.sequences()
					.stream()
					.flatMap((sequence) -> sequence.messages().stream())
					.toList();
				messages.forEach((message) -> relayed
					.computeIfAbsent(message.message().partitionKey(), (absent) -> new ArrayList<>())
					.add(message.id()));
				claim.complete(messages.stream().map(StoredMessage::id).collect(Collectors.toList()), List.of());
			}
		}
		claims.end();
		assertThat(relayed.remove("")).containsExactlyInAnyOrderElementsOf(this.written.remove(""));
		assertThat(relayed).isEqualTo(this.written);
		assertThat(this.tables.depth()).isZero();
	}

}
