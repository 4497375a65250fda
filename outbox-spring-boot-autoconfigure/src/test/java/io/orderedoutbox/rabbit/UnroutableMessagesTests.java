/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.orderedoutbox.MessageIdStamp;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderLost;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import io.orderedoutbox.testing.TestQueue.Arrival;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Messages that the broker confirms although no queue gets them.
 */
class UnroutableMessagesTests {

	// RabbitMQ confirms what it returns, Qpid refuses it
	private static final String UNROUTABLE = Servers.broker().isRabbitMq()
			? "returned by the broker: 312 NO_ROUTE%order.lost%" : "nacked by the broker";

	@Test
	void fiveThousandStayInTheOutboxWhileFiveThousandGoodOnesAmongThemArriveOnce() {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.with("outbox.relay.max-in-flight", 1000)
					.with("outbox.retry.initial-interval", "1h")
					.with("outbox.retry.max-interval", "1h")
					.start()) {
			for (int transaction = 0; transaction < 10; transaction++) {
				List<Object> events = new ArrayList<>();
				for (int i = 0; i < 500; i++) {
					String key = transaction + "-" + i;
					events.add(new OrderPlaced("good-" + key, 1));
					events.add(new OrderLost("lost-" + key, 1));
				}
				application.publish(events.toArray());
			}
			queue.await(5000);
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.until(() -> count(application, "attempts = 1 AND last_error LIKE '" + UNROUTABLE + "'"),
						(failed) -> failed == 5000);
			assertThat(application.depth()).isEqualTo(5000);
			assertThat(count(application, "name = 'order.lost'")).isEqualTo(5000);
			assertThat(queue.arrivals()).hasSize(5000);
			assertThat(queue.firstArrivals()).hasSize(5000);
		}
	}

	@Test
	@Tag("order")
	void aFailingMessageHoldsItsKeyAloneAndGoesOutFirstOnceItsRouteExists() {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.with("outbox.relay.poll-interval", "50ms")
					.with("outbox.retry.initial-interval", "50ms")
					.with("outbox.retry.max-interval", "200ms")
					.start()) {
			application.publish(new OrderPlaced("a", 1), new OrderLost("a", 2), new OrderPlaced("a", 3));
			awaitAttempts(application, 2);
			for (int version = 1; version <= 20; version++) {
				application.publish(new OrderPlaced("a", version + 3), new OrderPlaced("b", version));
			}
			queue.await(21);
			awaitAttempts(application, 4);
			assertThat(queue.versionsOf("a")).containsExactly(1);
			assertThat(queue.versionsOf("b")).hasSize(20).isSorted();
			assertThat(count(application, "attempts > 0")).isOne();
			assertThat(count(application, "attempts > 0 AND last_error LIKE '" + UNROUTABLE + "'")).isOne();
			queue.bind("order.lost");
			application.awaitEmpty();
			queue.await(43);
			assertThat(queue.versionsOf("a")).hasSize(23).isSorted();
			assertThat(queue.arrivals()).hasSize(43);
		}
	}

	@Test
	void aFailingMessageBacksOffLongerEachTime() {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.with("outbox.relay.poll-interval", "20ms")
					.with("outbox.retry.initial-interval", "200ms")
					.with("outbox.retry.multiplier", "2")
					.with("outbox.retry.jitter", "0")
					.start()) {
			application.publish(new OrderLost("a", 1));
			List<Long> next = new ArrayList<>();
			for (int attempts = 1; attempts <= 4; attempts++) {
				awaitAttempts(application, attempts);
				next.add(application.jdbc().sql("""
						SELECT TIMESTAMPDIFF(MICROSECOND, m.created_at, k.available_at) / 1000
						FROM outbox_message m JOIN outbox_parked k ON k.lane = m.lane""").query(Long.class).single());
			}
			// Attempt n+1 is made no earlier than it may, and then waits by itself
			assertThat(next.get(0)).isGreaterThanOrEqualTo(200);
			assertThat(next.get(1) - next.get(0)).isGreaterThanOrEqualTo(400);
			assertThat(next.get(2) - next.get(1)).isGreaterThanOrEqualTo(800);
			assertThat(next.get(3) - next.get(2)).isGreaterThanOrEqualTo(1600);
		}
	}

	@Test
	void twoMessagesInFlightWithOneIdOfWhichOneIsUnroutableAreBothKept() {
		UUID id = UUID.randomUUID();
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.with("outbox.relay.poll-interval", "50ms")
					.with("outbox.retry.initial-interval", "50ms")
					.with("outbox.retry.max-interval", "50ms")
					.start()) {
			application.inTransaction((outbox) -> {
				outbox.publish(new OrderPlaced("a", 1), MessageIdStamp.of(id));
				outbox.publish(new OrderLost("b", 1), MessageIdStamp.of(id));
				outbox.publish(new OrderPlaced("c", 1));
			});
			queue.await(2);
			awaitAttempts(application, 2);
			assertThat(count(application, "name = 'order.lost'")).isOne();
			queue.bind("order.lost");
			application.awaitEmpty();
			Awaitility.await()
				.untilAsserted(
						() -> assertThat(queue.arrivals()).extracting(Arrival::routingKey).contains("order.lost"));
			assertThat(queue.versionsOf("c")).containsExactly(1);
		}
	}

	private static void awaitAttempts(OutboxApplication application, int attempts) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.pollInterval(Duration.ofMillis(20))
			.until(() -> count(application, "attempts >= " + attempts) > 0);
	}

	private static long count(OutboxApplication application, String condition) {
		return application.jdbc()
			.sql("SELECT COUNT(*) FROM outbox_message WHERE " + condition)
			.query(Long.class)
			.single();
	}

}
