/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.orderedoutbox.HeaderStamp;
import io.orderedoutbox.PartitionKeyStamp;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderLost;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.RelayRecorder;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of messages that have used up their attempts, and of what waits behind
 * them.
 */
@ExtendWith(OutputCaptureExtension.class)
class ExhaustedAttemptsTests {

	private static final String BLOCKED = "attempts > 0 AND lane IN (SELECT lane FROM outbox_parked "
			+ "WHERE available_at >= '9999-12-31')";

	// RabbitMQ confirms what it returns, Qpid refuses it
	private static final String UNROUTABLE = Servers.broker().isRabbitMq() ? "NO_ROUTE" : "nacked by the broker";

	@Test
	void aBlockedMessageStandsStillAndItsKeyWithItWhileOthersGoOn(CapturedOutput output) {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = application(queue, 3, "block").start()) {
			application.publish(new OrderPlaced("a", 1), new OrderLost("a", 2), new OrderPlaced("a", 3));
			awaitCount(application, BLOCKED, 1);
			for (int version = 1; version <= 20; version++) {
				application.publish(new OrderPlaced("b", version), new OrderPlaced("a", version + 3));
			}
			queue.await(21);
			RelayRecorder recorder = application.bean(RelayRecorder.class);
			Awaitility.await().during(Duration.ofSeconds(1)).until(() -> recorder.failures().size() == 3);
			assertThat(queue.versionsOf("a")).containsExactly(1);
			assertThat(queue.versionsOf("b")).hasSize(20).isSorted();
			assertThat(application.count(BLOCKED + " AND name = 'order.lost' AND attempts = 3 AND last_error LIKE '%"
					+ UNROUTABLE + "%' AND failed_at <= UTC_TIMESTAMP(6)"))
				.isOne();
			assertThat(application.depth()).isEqualTo(22);
			assertThat(parked(application)).isEqualTo(List.of(recorder.failures().get(0).id()));
			assertThat(occurrences(output, "1 message(s) have used up their attempts")).isOne();
			assertThat(occurrences(output, "1 message(s) failed")).isOne();
		}
	}

	@Test
	void aBlockedMessageStaysBlockedWhenTheRelayStartsAgain() {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = application(queue, 1, "block").start()) {
			application.publish(new OrderLost("a", 1), new OrderPlaced("a", 2));
			awaitCount(application, BLOCKED, 1);
			application.bean(OutboxRelay.class).stop();
			queue.bind("order.lost");
			application.bean(OutboxRelay.class).start();
			application.publish(new OrderPlaced("b", 1));
			queue.await(1);
			assertThat(queue.versionsOf("b")).containsExactly(1);
			awaitFailures(application, 1);
			assertThat(application.depth()).isEqualTo(2);
		}
	}

	@Test
	void aDeadLetterIsWhatItWasAndItsKeyGoesOnWithoutIt(CapturedOutput output) {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = application(queue, 3, "dead-letter").start()) {
			OutboxRelay relay = application.bean(OutboxRelay.class);
			relay.stop();
			application.inTransaction((outbox) -> {
				outbox.publish(new OrderPlaced("a", 1));
				outbox.publish(new OrderLost("a", 2), HeaderStamp.of("tenant", "Zürich \uD83D\uDE80"));
				outbox.publish(new OrderLost("a", 3));
				outbox.publish(new OrderPlaced("a", 4));
			});
			List<Map<String, Object>> before = content(application, "outbox_message", "name = 'order.lost'");
			relay.start();
			application.awaitEmpty();
			queue.await(2);
			assertThat(queue.versionsOf("a")).containsExactly(1, 4);
			assertThat(content(application, "outbox_dead_letter", "TRUE")).isEqualTo(before).hasSize(2);
			assertThat(deadLetters(application, "attempts = 3 AND last_error LIKE '%" + UNROUTABLE
					+ "%' AND failed_at <= dead_at AND dead_at <= UTC_TIMESTAMP(6)"))
				.isEqualTo(2);
			assertThat(parked(application)).isEmpty();
			awaitFailures(application, 6);
			assertThat(occurrences(output, "are dead letters now")).isEqualTo(2);
		}
	}

	@Test
	void manyKeysLoseTheirHeadsInOneBatchAndKeepTheirOrder() {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = application(queue, 2, "dead-letter").start()) {
			List<Object> events = new ArrayList<>();
			for (int version = 1; version <= 9; version++) {
				for (int key = 0; key < 50; key++) {
					events.add((version % 3 == 0) ? new OrderLost("order-" + key, version)
							: new OrderPlaced("order-" + key, version));
				}
			}
			application.publish(events.toArray());
			application.awaitEmpty();
			queue.await(300);
			for (int key = 0; key < 50; key++) {
				assertThat(queue.versionsOf("order-" + key)).containsExactly(1, 2, 4, 5, 7, 8);
			}
			assertThat(queue.arrivals()).hasSize(300);
			assertThat(deadLetters(application, "attempts = 2")).isEqualTo(150);
			assertThat(parked(application)).isEmpty();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "block", "dead-letter" })
	void whereThereIsOneAttemptThereIsNoSecond(String onExhausted) {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = application(queue, 1, onExhausted).start()) {
			application.publish(new OrderLost("a", 1), new OrderPlaced("b", 1));
			queue.await(1);
			awaitCount(application, BLOCKED, onExhausted.equals("block") ? 1 : 0);
			application.awaitDepth(onExhausted.equals("block") ? 1 : 0);
			assertThat(deadLetters(application, "attempts = 1")).isEqualTo(onExhausted.equals("block") ? 0 : 1);
			RelayRecorder recorder = application.bean(RelayRecorder.class);
			Awaitility.await().during(Duration.ofMillis(500)).until(() -> recorder.failures().size() == 1);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "block", "dead-letter" })
	void zeroAttemptsAreAnyNumber(String onExhausted) {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = application(queue, 0, onExhausted)
					.with("outbox.retry.initial-interval", "1ms")
					.with("outbox.retry.max-interval", "1ms")
					.with("outbox.relay.poll-interval", "10ms")
					.start()) {
			application.publish(new OrderLost("a", 1), new OrderPlaced("a", 2));
			awaitCount(application, "attempts >= 25", 1);
			queue.bind("order.lost");
			application.awaitEmpty();
			queue.await(2);
			assertThat(queue.arrivals()).extracting(TestQueue.Arrival::routingKey)
				.containsExactly("order.lost", "order.placed");
			assertThat(deadLetters(application, "TRUE")).isZero();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "block", "dead-letter" })
	void inUnorderedModeNothingWaitsForAnExhaustedMessage(String onExhausted) {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = application(queue, 2, onExhausted).with("outbox.ordered", "false")
					.start()) {
			application.publish(new OrderLost("a", 1), new OrderPlaced("a", 2), new OrderLost("a", 3),
					new OrderPlaced("a", 4));
			onlyTheLostAreExhausted(application, queue, onExhausted);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "block", "dead-letter" })
	void withoutAKeyNothingWaitsForAnExhaustedMessage(String onExhausted) {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = application(queue, 2, onExhausted).start()) {
			application.inTransaction((outbox) -> {
				outbox.publish(new OrderLost("a", 1), PartitionKeyStamp.none());
				outbox.publish(new OrderPlaced("a", 2), PartitionKeyStamp.none());
				outbox.publish(new OrderLost("a", 3), PartitionKeyStamp.none());
				outbox.publish(new OrderPlaced("a", 4), PartitionKeyStamp.none());
			});
			onlyTheLostAreExhausted(application, queue, onExhausted);
		}
	}

	private static void onlyTheLostAreExhausted(OutboxApplication application, TestQueue queue, String onExhausted) {
		queue.await(2);
		boolean block = onExhausted.equals("block");
		awaitCount(application, BLOCKED + " AND attempts = 2", block ? 2 : 0);
		application.awaitDepth(block ? 2 : 0);
		assertThat(queue.versionsOf("a")).containsExactlyInAnyOrder(2, 4);
		assertThat(deadLetters(application, "attempts = 2")).isEqualTo(block ? 0 : 2);
		awaitFailures(application, 4);
	}

	@Test
	void thousandsOfBlockedKeysDoNotKeepTheOthersWaiting() {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = application(queue, 1, "block").start()) {
			for (int batch = 0; batch < 6; batch++) {
				int first = batch * 500;
				application.publish(
						IntStream.range(first, first + 500).mapToObj((i) -> new OrderLost("lost-" + i, 1)).toArray());
			}
			awaitCount(application, BLOCKED, 3000);
			for (int version = 1; version <= 10; version++) {
				application.publish(new OrderPlaced("a", version), new OrderPlaced("b", version));
			}
			queue.await(20);
			application.awaitDepth(3000);
			assertThat(queue.versionsOf("a")).hasSize(10).isSorted();
			awaitFailures(application, 3000);
		}
	}

	private static Builder application(TestQueue queue, int maxAttempts, String onExhausted) {
		return OutboxApplication.on(Servers.database().fresh())
			.sendingTo(queue)
			.with(RelayRecorder.class)
			.with("outbox.relay.poll-interval", "50ms")
			.with("outbox.retry.initial-interval", "50ms")
			.with("outbox.retry.max-interval", "100ms")
			.with("outbox.retry.max-attempts", maxAttempts)
			.with("outbox.retry.on-exhausted", onExhausted);
	}

	private static void awaitCount(OutboxApplication application, String condition, long count) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.pollInterval(Duration.ofMillis(20))
			.until(() -> application.count(condition) == count);
	}

	// The recorder hears of a failure a moment after the database
	private static void awaitFailures(OutboxApplication application, int count) {
		RelayRecorder recorder = application.bean(RelayRecorder.class);
		Awaitility.await().untilAsserted(() -> assertThat(recorder.failures()).hasSize(count));
	}

	private static long deadLetters(OutboxApplication application, String condition) {
		return application.jdbc()
			.sql("SELECT COUNT(*) FROM outbox_dead_letter WHERE " + condition)
			.query(Long.class)
			.single();
	}

	private static List<Map<String, Object>> content(OutboxApplication application, String table, String condition) {
		return application.jdbc().sql("""
				SELECT message_id, name, partition_key, exchange, routing_key, content_type, HEX(payload) AS payload,
				headers, created_at FROM %s WHERE %s ORDER BY id""".formatted(table, condition)).query().listOfRows();
	}

	// By the positions of the heads that have failed
	private static List<Long> parked(OutboxApplication application) {
		return application.jdbc().sql("SELECT -lane FROM outbox_parked ORDER BY lane DESC").query(Long.class).list();
	}

	private static int occurrences(CapturedOutput output, String text) {
		return StringUtils.countOccurrencesOf(output.getAll(), text);
	}

}
