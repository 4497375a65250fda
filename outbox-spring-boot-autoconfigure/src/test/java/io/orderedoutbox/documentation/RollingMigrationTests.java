/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeoutException;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
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
 * From an outbox table of one's own to the outbox without a move: the instances of the
 * new version write beside the old ones, and are not relayed before the old relay has
 * nothing left.
 */
@Timeout(120)
class RollingMigrationTests {

	private static final int VERSIONS = 60;

	private final MigrationProcedure procedure = MigrationProcedure.of(MigrationProcedure.HOME_MADE, "outbox_", 5);

	// By writer and key
	private final Map<String, List<String>> written = new LinkedHashMap<>();

	@BeforeEach
	void createTables() {
		this.procedure.run(0);
		this.procedure.createOutbox();
	}

	@AfterEach
	void close() {
		this.procedure.close();
	}

	@Test
	@Tag("order")
	void eachMessageArrivesOnceAndEachWriterKeepsItsOrder() throws Exception {
		try (OutboxApplication application = this.procedure.application().withoutRelay().start()) {
			for (int version = 0; version < VERSIONS; version++) {
				OrderPlaced event = new OrderPlaced("order-" + version % 3, version);
				if (version % 2 == 0) {
					writeInTheOldWay(event);
				}
				else {
					remember("new", event, application.publish(event));
				}
				if (version % 20 == 19) {
					relayInTheOldWay();
				}
			}
			// Nothing of the new instance is sent before the switch
			assertThat(this.procedure.queue().await(VERSIONS / 2)).extracting(Arrival::messageId)
				.containsExactlyInAnyOrderElementsOf(ids("old"));
			assertThat(this.procedure.depth()).isEqualTo(VERSIONS / 2);
		}
		assertThat(this.procedure.numbers(1)).containsEntry("to_move", 0);
		this.procedure.relay(VERSIONS / 2 + 1, (application) -> {
			OrderPlaced event = new OrderPlaced("order-1", VERSIONS);
			remember("new", event, application.publish(event));
		});
		assertThat(this.procedure.queue().arrivals()).hasSize(VERSIONS + 1);
		this.written
			.forEach((writerAndKey, ids) -> assertThat(this.procedure.queue().arrivals()).extracting(Arrival::messageId)
				.filteredOn(ids::contains)
				.as(writerAndKey)
				.isEqualTo(ids));
	}

	private void writeInTheOldWay(OrderPlaced event) {
		UUID id = UUID.randomUUID();
		this.procedure.jdbc()
			.sql("""
					INSERT INTO shop_outbox (event_id, event_type, aggregate_id, payload, created_at)
					VALUES (?, 'order.placed', ?, ?, CURRENT_TIMESTAMP(6))""")
			.params(id.toString(), event.orderId(),
					"{\"orderId\":\"%s\",\"version\":%d}".formatted(event.orderId(), event.version()))
			.update();
		remember("old", event, id);
	}

	private void remember(String writer, OrderPlaced event, UUID id) {
		this.written.computeIfAbsent(writer + " " + event.orderId(), (absent) -> new ArrayList<>()).add(id.toString());
	}

	private List<String> ids(String writer) {
		return this.written.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().startsWith(writer))
			.flatMap((entry) -> entry.getValue().stream())
			.toList();
	}

	private void relayInTheOldWay() throws IOException, InterruptedException, TimeoutException {
		Channel channel = this.procedure.queue().channel();
		channel.confirmSelect();
		for (Map<String, Object> row : this.procedure.jdbc()
			.sql("SELECT * FROM shop_outbox WHERE sent_at IS NULL ORDER BY id")
			.query()
			.listOfRows()) {
			channel.basicPublish(this.procedure.queue().exchange(), row.get("event_type").toString(), true,
					new AMQP.BasicProperties.Builder().messageId(row.get("event_id").toString())
						.contentType("application/json")
						.deliveryMode(2)
						.build(),
					row.get("payload").toString().getBytes(StandardCharsets.UTF_8));
			channel.waitForConfirmsOrDie(10_000);
			this.procedure.jdbc()
				.sql("UPDATE shop_outbox SET sent_at = CURRENT_TIMESTAMP(6) WHERE id = ?")
				.param(row.get("id"))
				.update();
		}
	}

}
