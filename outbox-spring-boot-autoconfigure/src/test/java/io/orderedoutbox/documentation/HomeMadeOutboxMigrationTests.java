/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import io.orderedoutbox.documentation.Documents.Block;
import io.orderedoutbox.servers.RequiresPostgreSql;
import io.orderedoutbox.testing.LockWait;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OwnThread;
import io.orderedoutbox.testing.StoredRow;
import io.orderedoutbox.testing.TestQueue.Arrival;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.jdbc.datasource.init.ScriptException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

/**
 * From an outbox table of one's own to the outbox, and back, with the SQL of the page.
 */
@Timeout(120)
class HomeMadeOutboxMigrationTests {

	private static final int ROWS = 300;

	private final MigrationProcedure procedure = MigrationProcedure.of(MigrationProcedure.HOME_MADE, "outbox_", 5);

	private final String content = """
			SELECT event_id, event_type, COALESCE(aggregate_id, '') AS aggregate_id, payload, %s, created_at
			FROM shop_outbox WHERE sent_at IS NULL ORDER BY id"""
		.formatted(this.procedure.choose("headers", "headers::text AS headers"));

	private final String moved = """
			SELECT message_id AS event_id, name AS event_type, partition_key AS aggregate_id, %s AS payload,
			headers, created_at FROM outbox_message ORDER BY id""".formatted(this.procedure.payloadAsText());

	@BeforeEach
	void write() {
		this.procedure.run(0);
		this.procedure.createOutbox();
		this.procedure.inTransaction(this::writeRows);
		this.procedure.jdbc().sql("UPDATE shop_outbox SET sent_at = created_at WHERE id % 3 = 0").update();
	}

	private void writeRows() {
		Random random = new Random(1);
		for (int i = 0; i < ROWS; i++) {
			boolean isBoundToNoOrder = i % 10 == 0;
			String orderId = "Größe " + random.nextInt(30);
			write(UUID.randomUUID().toString(), isBoundToNoOrder ? null : orderId,
					"{\"orderId\":\"%s\",\"version\":%d}".formatted(orderId, i),
					(i % 4 == 0) ? "{\"tenant\": \"süd\", \"retries\": 2}" : null);
		}
	}

	private void write(String id, String key, String payload, String headers) {
		this.procedure.jdbc()
			.sql("""
					INSERT INTO shop_outbox (event_id, event_type, aggregate_id, payload, headers, created_at)
					VALUES (?, 'order.placed', ?, ?, ?, UTC_TIMESTAMP(6) - INTERVAL '1' DAY)""")
			.params(id, key, payload, headers)
			.update();
	}

	@AfterEach
	void close() {
		this.procedure.close();
	}

	@Test
	void whatWasNotSentIsInTheOutboxAsItWas() {
		List<Map<String, Object>> before = rows(this.content);
		assertThat(before).hasSize(200);
		assertThat(this.procedure.numbers(1)).isEqualTo(
				Map.of("to_move", 200, "different_ids", 200, "without_uuid", 0, "too_long", 0, "without_names", 0));
		this.procedure.run(2);
		assertThat(rows(this.moved)).isEqualTo(before);
		assertThat(this.procedure.numbers(3))
			.isEqualTo(Map.of("left_behind", 0, "in_outbox", 200, "different_ids", 200, "in_another_lane", 0));
		assertThat(this.procedure.jdbc().sql("SELECT * FROM outbox_message").query(StoredRow.class).list())
			.extracting(StoredRow::contentType, StoredRow::routingKey, StoredRow::attempts)
			.containsOnly(tuple("application/json", "order.placed", 0));
	}

	@Test
	@Tag("order")
	void itIsRelayedInTheOrderOfTheOldTableAndBeforeWhatIsWrittenLater() {
		Map<String, List<String>> written = idsByKey(this.content);
		this.procedure.run(2);
		List<Arrival> arrivals = this.procedure.relay(200 + written.size() - 1, (application) -> written.keySet()
			.stream()
			.filter((key) -> !key.isEmpty())
			.forEach((key) -> written.get(key).add(application.publish(new OrderPlaced(key, ROWS)).toString())));
		Map<String, String> keys = new LinkedHashMap<>();
		written.forEach((key, ids) -> ids.forEach((id) -> keys.put(id, key)));
		Map<String, List<String>> relayed = new LinkedHashMap<>();
		arrivals
			.forEach((arrival) -> relayed.computeIfAbsent(keys.get(arrival.messageId()), (absent) -> new ArrayList<>())
				.add(arrival.messageId()));
		assertThat(relayed.remove("")).containsExactlyInAnyOrderElementsOf(written.remove(""));
		assertThat(relayed).isEqualTo(written);
		assertThat(arrivals).filteredOn((arrival) -> MigrationProcedure.headers(arrival).containsKey("tenant"))
			.hasSize(50)
			.allSatisfy((arrival) -> {
				assertThat(MigrationProcedure.headers(arrival).get("tenant")).hasToString("süd");
				assertThat(MigrationProcedure.headers(arrival)).containsEntry("retries", 2L);
				assertThat(arrival.text()).contains("{\"orderId\":\"Größe ");
			});
	}

	@Test
	void itCanBeMovedInPortionsAndAgain() {
		List<Map<String, Object>> before = rows(this.content);
		Block portion = this.procedure.block(2).with("ORDER BY id;\nUPDATE", "ORDER BY id LIMIT 70;\nUPDATE");
		assertThat(portion).isNotEqualTo(this.procedure.block(2));
		this.procedure.run(portion);
		assertThat(this.procedure.numbers(3)).containsEntry("left_behind", 130).containsEntry("in_outbox", 70);
		for (int i = 0; i < 4; i++) {
			this.procedure.run(portion);
		}
		assertThat(rows(this.moved)).isEqualTo(before);
		assertThat(this.procedure.numbers(3)).containsEntry("left_behind", 0);
	}

	@Test
	void theMoveWaitsForTransactionsThatPublish() {
		AtomicReference<CompletableFuture<Void>> move = new AtomicReference<>();
		try (OutboxApplication application = this.procedure.application().withoutRelay().start()) {
			application.transaction().executeWithoutResult((status) -> {
				application.jdbc().sql("SELECT id FROM outbox_stripe WHERE id = 17 FOR UPDATE").query().singleRow();
				move.set(CompletableFuture.runAsync(() -> this.procedure.run(2), OwnThread.OWN_THREAD));
				LockWait.await(this.procedure.jdbc());
				application.jdbc()
					.sql("""
							INSERT INTO outbox_message (lane, message_id, name, exchange, routing_key, content_type, payload, created_at, available_at)
							VALUES (17, UUID(), 'written.before', '', '', '', '', UTC_TIMESTAMP(6), UTC_TIMESTAMP(6))""")
					.update();
			});
			move.get().join();
		}
		assertThat(rows(this.moved)).hasSize(201)
			.first()
			.satisfies((row) -> assertThat(row).containsEntry("event_type", "written.before"));
	}

	@Test
	void whatDoesNotFitIsFoundBefore() {
		String payload = "{}";
		write("order-17-placed", "a", payload, null);
		write(UUID.randomUUID().toString(), "b", payload, "[1, 2]");
		// The relay would send it in lower case
		write("018F0000-0000-7000-8000-0000000000AB", "c", payload, null);
		assertThat(this.procedure.numbers(1)).isEqualTo(
				Map.of("to_move", 203, "different_ids", 203, "without_uuid", 2, "too_long", 0, "without_names", 1));
	}

	@Test
	void aMoveThatFailsMovesNothing() {
		this.procedure.jdbc()
			.sql("ALTER TABLE shop_outbox " + this.procedure.choose("MODIFY event_type VARCHAR(400) NOT NULL",
					"ALTER event_type TYPE VARCHAR(400)"))
			.update();
		this.procedure.jdbc().sql("UPDATE shop_outbox SET event_type = REPEAT('x', 191) WHERE id = 299").update();
		List<Map<String, Object>> before = rows(this.content);
		assertThat(this.procedure.numbers(1)).containsEntry("too_long", 1);
		assertThatExceptionOfType(ScriptException.class).isThrownBy(() -> this.procedure.run(2));
		assertThat(rows(this.content)).isEqualTo(before);
		assertThat(this.procedure.depth()).isZero();
	}

	@Test
	void whatTheOutboxHasNotSentGoesBackToItsPlace() {
		List<Map<String, Object>> before = rows(this.content);
		this.procedure.run(2);
		// As if these had been sent, and one key had failed
		this.procedure.jdbc().sql("DELETE FROM outbox_message WHERE id % 2 = 0").update();
		List<Map<String, Object>> left = rows(this.moved);
		assertThat(before).containsAll(left);
		try (OutboxApplication application = this.procedure.application().withoutRelay().start()) {
			application.publish(new OrderPlaced("Größe 1", 1000), new OrderPlaced("Größe 2", 1001));
		}
		this.procedure.jdbc()
			.sql("INSERT INTO outbox_parked (lane, partition_id, key_hash, partition_key, available_at) VALUES (-5, 1, CRC32('a'), 'a', UTC_TIMESTAMP(6))")
			.update();
		this.procedure.jdbc().sql("UPDATE outbox_partition SET retry_at = UTC_TIMESTAMP(6) WHERE id = 1").update();
		List<Map<String, Object>> all = rows(this.moved);
		assertThat(all).hasSize(102);
		this.procedure.run(4);
		assertThat(rows(this.content)).isEqualTo(all);
		assertThat(this.procedure.numbers(3)).containsEntry("in_outbox", 0);
		assertThat(this.procedure.jdbc()
			.sql("SELECT (SELECT COUNT(*) FROM outbox_parked) + (SELECT COUNT(*) FROM outbox_partition WHERE retry_at IS NOT NULL)")
			.query(Integer.class)
			.single()).isZero();
		// And forth again
		this.procedure.run(2);
		assertThat(rows(this.moved)).isEqualTo(all);
	}

	@Test
	@RequiresPostgreSql
	void columnsMayHaveTheTypesThatPostgreSqlHasForIdsAndJson() {
		this.procedure.jdbc()
			.sql("ALTER TABLE shop_outbox ALTER event_id TYPE UUID USING event_id::uuid, ALTER payload TYPE JSON USING payload::json")
			.update();
		assertThat(this.procedure.numbers(1)).containsEntry("to_move", 200).containsEntry("without_uuid", 0);
		this.procedure.run(2);
		assertThat(this.procedure.numbers(3)).containsEntry("left_behind", 0).containsEntry("in_outbox", 200);
		this.procedure.jdbc().sql("DELETE FROM shop_outbox WHERE id % 2 = 0").update();
		this.procedure.run(this.procedure.block(4)
			.with("SELECT m.message_id,", "SELECT m.message_id::uuid,")
			.with("convert_from(m.payload, 'UTF8')", "convert_from(m.payload, 'UTF8')::json"));
		assertThat(rows(this.content)).hasSize(200);
		assertThat(this.procedure.depth()).isZero();
	}

	private List<Map<String, Object>> rows(String sql) {
		return this.procedure.jdbc().sql(sql).query().listOfRows();
	}

	private Map<String, List<String>> idsByKey(String sql) {
		Map<String, List<String>> ids = new LinkedHashMap<>();
		rows(sql).forEach((row) -> ids.computeIfAbsent((String) row.get("aggregate_id"), (absent) -> new ArrayList<>())
			.add((String) row.get("event_id")));
		return ids;
	}

}
