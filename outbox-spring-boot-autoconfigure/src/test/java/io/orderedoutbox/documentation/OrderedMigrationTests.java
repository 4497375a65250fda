/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue.Arrival;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * From unordered to ordered with a backlog and instances that go on, and back, with the
 * SQL of the page.
 */
@Timeout(120)
class OrderedMigrationTests {

	private static final int KEYS = 20;

	private final MigrationProcedure procedure = MigrationProcedure.of(MigrationProcedure.ORDERED, "outbox_", 4);

	@BeforeEach
	void createOutbox() {
		this.procedure.createOutbox();
	}

	@AfterEach
	void close() {
		this.procedure.close();
	}

	@Test
	@Tag("order")
	void aBacklogIsRelayedInOrderAfterTheLastUnorderedInstanceIsGone() {
		try (OutboxApplication unordered = instance(false)) {
			publish(unordered, 0, 10);
			unordered.publish(new StockCounted(1));
			assertThat(this.procedure.ask(0)).extracting(Object::toString)
				.containsExactly("{name=stock.counted, without_key=1}");
			Awaitility.await().until(() -> this.procedure.numbers(1).get("instances") == 1);
			assertThatExceptionOfType(Exception.class).isThrownBy(() -> instance(true))
				.havingRootCause()
				.isInstanceOf(OutboxConfigurationException.class);
			// It was not disturbed
			publish(unordered, 10, 15);
		}
		this.procedure.jdbc()
			.sql("INSERT INTO outbox_parked (lane, partition_id, key_hash, partition_key, available_at) VALUES (-1, 1, CRC32('key 0'), 'key 0', '9999-12-31')")
			.update();
		this.procedure.jdbc().sql("UPDATE outbox_message SET lane = -1 WHERE id = 1").update();
		this.procedure.jdbc().sql("UPDATE outbox_partition SET retry_at = '9999-12-31' WHERE id = 1").update();
		assertThat(this.procedure.numbers(1))
			.isEqualTo(Map.of("instances", 0, "backlog", KEYS * 15 + 1, "parked_keys", 1));
		assertThat(this.procedure.numbers(3).get("in_another_lane")).isGreaterThan(KEYS);
		assertThat(this.procedure.numbers(3)).containsEntry("waiting_partitions", 1);
		this.procedure.run(2);
		assertThat(this.procedure.numbers(3)).isEqualTo(Map.of("in_another_lane", 0, "waiting_partitions", 0));
		List<Arrival> arrivals = this.procedure.relay(KEYS * 20 + 1, (application) -> publish(application, 15, 20));
		assertThat(arrivals).hasSize(KEYS * 20 + 1);
		Map<String, List<Integer>> expected = IntStream.range(0, KEYS)
			.boxed()
			.collect(Collectors.toMap((key) -> "key " + key, (key) -> IntStream.range(0, 20).boxed().toList()));
		assertThat(versions()).isEqualTo(expected);
	}

	@Test
	void afterTheWayBackNothingWaitsBehindAKeyThatHasFailed() {
		try (OutboxApplication ordered = instance(true)) {
			publish(ordered, 0, 5);
		}
		// As a relay leaves a blocked key
		this.procedure.jdbc()
			.sql("INSERT INTO outbox_parked (lane, partition_id, key_hash, partition_key, available_at) SELECT -MIN(id), MIN(lane), CRC32('key 3'), 'key 3', '9999-12-31' FROM outbox_message WHERE partition_key = 'key 3'")
			.update();
		this.procedure.jdbc()
			.sql("UPDATE outbox_message SET lane = (SELECT lane FROM outbox_parked) WHERE partition_key = 'key 3'")
			.update();
		this.procedure.run(2);
		try (OutboxApplication unordered = this.procedure.application().with("outbox.ordered", false).start()) {
			unordered.awaitEmpty();
		}
		this.procedure.queue().await(KEYS * 5);
		assertThat(versions().get("key 3")).containsExactlyInAnyOrder(0, 1, 2, 3, 4);
	}

	private OutboxApplication instance(boolean ordered) {
		return this.procedure.application().withoutRelay().with("outbox.ordered", ordered).start();
	}

	// In transactions of their own
	private static void publish(OutboxApplication application, int from, int to) {
		for (int version = from; version < to; version++) {
			for (int key = 0; key < KEYS; key++) {
				application.publish(new OrderPlaced("key " + key, version));
			}
		}
	}

	private Map<String, List<Integer>> versions() {
		Map<String, List<Integer>> versions = new HashMap<>();
		for (int key = 0; key < KEYS; key++) {
			versions.put("key " + key, this.procedure.queue().versionsOf("key " + key));
		}
		return versions;
	}

	@OutboxMessage("stock.counted")
	record StockCounted(int count) {

	}

}
