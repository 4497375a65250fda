/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;

import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue.Arrival;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * From the records of namastack's outbox to this one, and back, with the SQL of the page.
 * <p>
 * The tables are those of namastack's own script.
 */
@Timeout(120)
class NamastackMigrationTests {

	private static final String HANDLER = "io.namastack.outbox.rabbit.RabbitOutboxHandler#handle(java.lang.Object,io.namastack.outbox.handler.OutboxRecordMetadata)";

	private static final String OTHER_HANDLER = "com.example.shop.Mail#send(com.example.shop.OrderPlaced)";

	private static final String PREFIX = "ordered_outbox_";

	private final MigrationProcedure procedure = MigrationProcedure.of(MigrationProcedure.NAMASTACK, PREFIX, 5);

	// In the order of their seconds, and within one in that of their ids
	private final List<OutboxRecord> records = new ArrayList<>();

	@BeforeEach
	void write() {
		this.procedure.createTablesOf(OtherLibrary.NAMASTACK);
		this.procedure.createOutbox();
		this.procedure.run(0);
		Random random = new Random(1);
		for (int i = 0; i < 200; i++) {
			this.records.add(new OutboxRecord(UUID.randomUUID().toString(), (i % 7 == 0) ? "FAILED" : "NEW",
					"Größe " + random.nextInt(20), (i % 5 == 0) ? "OrderShipped" : "OrderPlaced", i, HANDLER));
		}
		this.records.sort(Comparator.comparing(OutboxRecord::second).thenComparing(OutboxRecord::id));
		List<OutboxRecord> shuffled = new ArrayList<>(this.records);
		Collections.shuffle(shuffled, random);
		this.procedure.inTransaction(() -> shuffled.forEach(this::write));
		write(new OutboxRecord("completed", "COMPLETED", "a", "OrderPlaced", 500, HANDLER));
		write(new OutboxRecord("of another handler", "NEW", "a", "OrderPlaced", 501, OTHER_HANDLER));
		write(new OutboxRecord("unknown", "NEW", "a", "Unknown", 502, HANDLER));
	}

	private void write(OutboxRecord outboxRecord) {
		this.procedure.jdbc()
			.sql("""
					INSERT INTO outbox_record VALUES (?, ?, ?, ?, ?, ?, %s(?), CASE WHEN ? = 'COMPLETED' THEN CURRENT_TIMESTAMP END,
					?, NULL, CURRENT_TIMESTAMP, 7, ?)"""
				.formatted(this.procedure.choose("FROM_UNIXTIME", "to_timestamp")))
			.params(outboxRecord.id, outboxRecord.status, outboxRecord.key, "com.example.shop." + outboxRecord.type,
					outboxRecord.payload(), (outboxRecord.number % 2 == 0) ? "{\"tenant\":\"süd\"}" : null,
					outboxRecord.second(), outboxRecord.status, outboxRecord.status.equals("FAILED") ? 3 : 0,
					outboxRecord.handler)
			.update();
	}

	@AfterEach
	void close() {
		this.procedure.close();
	}

	@Test
	void whatIsThereIsSeenByHandlerTypeAndStatus() {
		assertThat(this.procedure.ask(1)).hasSize(6)
			.filteredOn((row) -> row.get("name") == null || row.get("handler_id").equals(OTHER_HANDLER)
					|| ((Number) row.get("without_uuid")).intValue() > 0)
			.extracting((row) -> row.get("handler_id") + " " + row.get("record_type") + " " + row.get("name"))
			.containsExactlyInAnyOrder(OTHER_HANDLER + " com.example.shop.OrderPlaced order.placed",
					HANDLER + " com.example.shop.Unknown null");
	}

	@Test
	void whatIsNotCompletedIsMovedInTheOrderOfItsCreation() {
		this.procedure.run(2);
		assertThat(this.procedure.jdbc()
			.sql("""
					SELECT CONCAT_WS('|', message_id, name, partition_key, routing_key, content_type, %s,
					COALESCE(headers, ''), %s) FROM ordered_outbox_message ORDER BY id""".formatted(
					this.procedure.payloadAsText(),
					this.procedure.choose("TIMESTAMPDIFF(SECOND, '1970-01-01', created_at)",
							"CAST(extract(epoch FROM created_at) AS BIGINT)")))
			.query(String.class)
			.list()).isEqualTo(this.records.stream().map(OutboxRecord::asMessage).toList());
		assertThat(this.procedure.numbers(3))
			.isEqualTo(Map.of("left_behind", 1, "in_outbox", 200, "different_ids", 200, "in_another_lane", 0));
		assertThat(ids("status <> 'COMPLETED'")).containsExactly("of another handler", "unknown");
		assertThat(ids("status = 'COMPLETED' AND completed_at IS NULL")).isEmpty();
		this.procedure.run(2);
		assertThat(this.procedure.depth()).isEqualTo(200);
	}

	@Test
	@Tag("order")
	void itIsRelayedInThatOrderAndBeforeWhatIsWrittenLater() {
		this.procedure.run(2);
		Map<String, List<String>> written = this.records.stream()
			.collect(Collectors.groupingBy(OutboxRecord::key,
					Collectors.mapping(OutboxRecord::payload, Collectors.toCollection(ArrayList::new))));
		List<Arrival> arrivals = this.procedure.relay(200 + written.size(),
				(application) -> written.forEach((key, events) -> {
					application.publish(new OrderPlaced(key, 1000));
					events.add("{\"orderId\":\"%s\",\"version\":1000}".formatted(key));
				}));
		assertThat(arrivals.stream()
			.map(Arrival::text)
			.collect(Collectors.groupingBy((event) -> event.replaceAll("^.*orderId\":\"(.*?)\".*", "$1"))))
			.isEqualTo(written);
		assertThat(arrivals).filteredOn((arrival) -> MigrationProcedure.headers(arrival).containsKey("tenant"))
			.hasSize(100);
	}

	@Test
	void whatWasMovedAndNotSentGoesBackAndAOneShotRelaySendsTheRest() {
		this.procedure.run(2);
		this.procedure.jdbc().sql("DELETE FROM ordered_outbox_message WHERE id % 2 = 0").update();
		UUID later;
		try (OutboxApplication application = this.procedure.application().withoutRelay().start()) {
			later = application.publish(new OrderPlaced("Größe 1", 1000));
		}
		this.procedure.run(4);
		List<String> back = new ArrayList<>();
		for (int i = 0; i < 200; i += 2) {
			back.add(this.records.get(i).id);
		}
		assertThat(ids(
				"status = 'NEW' AND completed_at IS NULL AND failure_count = 0 AND handler_id LIKE 'io.%' AND id <> 'unknown'"))
			.containsExactlyInAnyOrderElementsOf(back);
		assertThat(
				this.procedure.jdbc().sql("SELECT message_id FROM ordered_outbox_message").query(String.class).list())
			.containsExactly(later.toString());
		// Once the old version has sent what is back
		assertThat(LastRelay.run(this.procedure.application())).isZero();
		assertThat(this.procedure.depth()).isZero();
		assertThat(this.procedure.queue().await(1)).extracting(Arrival::messageId).containsExactly(later.toString());
	}

	private List<String> ids(String condition) {
		return this.procedure.jdbc()
			.sql("SELECT id FROM outbox_record WHERE " + condition + " ORDER BY id")
			.query(String.class)
			.list();
	}

	private record OutboxRecord(String id, String status, String key, String type, int number, String handler) {

		// Several of them in each second
		long second() {
			return 1_700_000_000L + this.number / 8;
		}

		String payload() {
			return "{\"orderId\":\"%s\",\"version\":%d}".formatted(this.key, this.number);
		}

		String asMessage() {
			String name = this.type.equals("OrderPlaced") ? "order.placed" : "order.shipped";
			return String.join("|", this.id, name, this.key, name, "application/json", payload(),
					(this.number % 2 == 0) ? "{\"tenant\":\"süd\"}" : "", String.valueOf(second()));
		}

	}

}
