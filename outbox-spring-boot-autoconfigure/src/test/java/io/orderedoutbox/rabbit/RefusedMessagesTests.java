/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import io.orderedoutbox.HeaderStamp;
import io.orderedoutbox.PartitionKeyStamp;
import io.orderedoutbox.servers.RequiresMySql;
import io.orderedoutbox.servers.RequiresRabbitMq;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.testing.OrderLost;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.RelayRecorder;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Messages that the broker or its client refuses. What refuses one of them closes the
 * channel under all the others, or brings its sequence numbers out of step.
 */
class RefusedMessagesTests {

	private static final int NEIGHBOURS = 200;

	@Test
	void aMissingExchangeFailsItsMessageOnly() {
		failsOnly("missing-" + UUID.randomUUID(), "404");
	}

	@Test
	@RequiresRabbitMq
	void anExchangeThatAcceptsNoMessagesFromOutsideFailsItsMessageOnly() throws IOException {
		try (TestQueue queue = TestQueue.forEverything()) {
			String internal = queue.exchange() + "-internal";
			queue.channel().exchangeDeclare(internal, BuiltinExchangeType.FANOUT, true, false, true, Map.of());
			failsOnly(internal, "403");
			queue.channel().exchangeDelete(internal);
		}
	}

	private static void failsOnly(String exchange, String expectedError) {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = recorded(queue)
					.with("outbox.rabbit.routes[order.lost].exchange", exchange)
					.start()) {
			publishAmongNeighbours(application, new OrderLost("culprit", 1));
			awaitOnlyCulpritLeft(application, queue, 2);
			assertThat(application.bean(RelayRecorder.class).failures()).isNotEmpty()
				.allMatch((failure) -> failure.id() == culprit(application))
				.extracting(FailedMessage::error)
				.allMatch((error) -> error.contains(expectedError));
		}
	}

	@Test
	@RequiresRabbitMq
	void headersTooLargeForAFrameFailTheirMessageOnly() {
		try (TestQueue queue = TestQueue.forEverything(); OutboxApplication application = recorded(queue).start()) {
			HeaderStamp large = HeaderStamp.of("large", "x".repeat(200_000));
			application.inTransaction((outbox) -> {
				for (int i = 0; i < NEIGHBOURS; i++) {
					if (i == NEIGHBOURS / 2) {
						outbox.publish(new OrderLost("culprit", 1), large);
					}
					outbox.publish(new OrderPlaced("neighbour-" + i, 1));
				}
			});
			awaitOnlyCulpritLeft(application, queue, 2);
			assertThat(application.bean(RelayRecorder.class).failures()).isNotEmpty()
				.allMatch((failure) -> failure.id() == culprit(application));
		}
	}

	@Test
	@RequiresRabbitMq
	void confirmsAreStillAttributedRightAfterTheClientHasRefusedAMessage() {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = recorded(queue).with("outbox.relay.workers", 1).start()) {
			HeaderStamp large = HeaderStamp.of("large", "x".repeat(200_000));
			application.inTransaction((outbox) -> {
				outbox.publish(new OrderPlaced("refused", 1), large);
				for (int i = 0; i < 50; i++) {
					outbox.publish(new OrderPlaced("good-" + i, 1));
					outbox.publish(new OrderLost("lost-" + i, 1));
				}
			});
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.until(() -> count(application, "attempts > 0") == 51 && application.depth() == 51);
			assertThat(count(application, "name = 'order.lost' AND last_error LIKE '%312%'")).isEqualTo(50);
			assertThat(queue.firstArrivals()).hasSize(50);
		}
	}

	@Test
	@RequiresRabbitMq
	@RequiresMySql
	void aMessageLargerThanTheBrokerTakesFailsAlone() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = recorded(queue).with("outbox.max-payload-size", "32MB")
					.with("outbox.relay.batch-bytes", "64MB")
					.with("outbox.retry.initial-interval", "10s")
					.with("outbox.retry.max-interval", "10s")
					.start()) {
			publishAmongNeighbours(application, new OrderLost("x".repeat(17_000_000), 1));
			awaitOnlyCulpritLeft(application, queue, 1);
			assertThat(application.bean(RelayRecorder.class).failures()).isNotEmpty()
				.allMatch((failure) -> failure.id() == culprit(application))
				.extracting(FailedMessage::error)
				.allMatch((error) -> error.contains("406"));
		}
	}

	@Test
	@RequiresRabbitMq
	void aFullQueueHoldsTheKeyUntilThereIsRoomAndKeepsItsOrder() throws Exception {
		try (TestQueue queue = TestQueue.bound("nothing"); OutboxApplication application = recorded(queue).start()) {
			Channel channel = queue.channel();
			String full = queue.exchange() + "-full";
			channel.queueDeclare(full, false, true, true, Map.of("x-max-length", 10, "x-overflow", "reject-publish"));
			channel.queueBind(full, queue.exchange(), "order.placed");
			for (int version = 1; version <= 30; version++) {
				application.publish(new OrderPlaced("a", version));
			}
			RelayRecorder recorder = application.bean(RelayRecorder.class);
			Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> recorder.failures().size() >= 2);
			assertThat(recorder.failures()).extracting(FailedMessage::error).containsOnly("nacked by the broker");
			assertThat(count(application, "attempts > 0")).isOne();
			List<String> drained = new ArrayList<>();
			Awaitility.await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(10)).until(() -> {
				GetResponse response = channel.basicGet(full, true);
				if (response != null) {
					drained.add(new String(response.getBody(), java.nio.charset.StandardCharsets.UTF_8));
				}
				return drained.size() == 30;
			});
			application.awaitEmpty();
			List<String> expected = new ArrayList<>();
			for (int version = 1; version <= 30; version++) {
				expected.add("{\"orderId\":\"a\",\"version\":%d}".formatted(version));
			}
			assertThat(drained).isEqualTo(expected);
		}
	}

	private static Builder recorded(TestQueue queue) {
		return OutboxApplication.on(Servers.database().fresh())
			.sendingTo(queue)
			.with(RelayRecorder.class)
			.with("outbox.relay.poll-interval", "100ms")
			.with("outbox.retry.initial-interval", "100ms")
			.with("outbox.retry.max-interval", "500ms");
	}

	private static void publishAmongNeighbours(OutboxApplication application, OrderLost culprit) {
		application.inTransaction((outbox) -> {
			for (int i = 0; i < NEIGHBOURS; i++) {
				if (i == NEIGHBOURS / 2) {
					outbox.publish(culprit, PartitionKeyStamp.of("culprit"));
				}
				outbox.publish(new OrderPlaced("neighbour-" + i, 1));
			}
		});
	}

	private static void awaitOnlyCulpritLeft(OutboxApplication application, TestQueue queue, int attempts) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> count(application, "attempts >= " + attempts) == 1 && application.depth() == 1);
		// They are told after the commit
		Awaitility.await().until(() -> application.bean(RelayRecorder.class).failures().size() >= attempts);
		queue.await(NEIGHBOURS);
		assertThat(queue.firstArrivals()).hasSize(NEIGHBOURS);
	}

	private static long culprit(OutboxApplication application) {
		return application.jdbc()
			.sql("SELECT id FROM outbox_message WHERE partition_key = 'culprit'")
			.query(Long.class)
			.single();
	}

	private static long count(OutboxApplication application, String condition) {
		return application.jdbc()
			.sql("SELECT COUNT(*) FROM outbox_message WHERE " + condition)
			.query(Long.class)
			.single();
	}

}
