/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import io.orderedoutbox.monitor.console.WebClient;
import io.orderedoutbox.monitor.console.WebClient.Reply;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderLost;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.TestQueue;
import io.orderedoutbox.testing.TestQueue.Arrival;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The configuration was corrected, and what was stored before is sent there as well: over
 * HTTP, by running relays.
 */
@Timeout(120)
@Tag("order")
@ExtendWith(OutputCaptureExtension.class)
class RerouteInApplicationTests {

	private static final int KEYS = 10;

	private final Database database = Servers.database().fresh();

	private final String wrong = "outbox-test-wrong-" + UUID.randomUUID();

	@ParameterizedTest
	@ValueSource(strings = { "true", "false" })
	void whatHasFailedAndWhatWaitsBehindItArrivesInOrderWithTheSameIds(boolean ordered) {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = writable().with("outbox.ordered", ordered)
					.with("outbox.rabbit.exchange", this.wrong)
					.start()) {
			publish(application, 1);
			awaitFailures(application, ordered ? KEYS : 1);
			publish(application, 2);
			publish(application, 3);
			List<String> ids = application.jdbc()
				.sql("SELECT message_id FROM outbox_message")
				.query(String.class)
				.list();
			assertThat(ids).hasSize(3 * KEYS);
			WebClient client = WebClient.of(application, "/actuator/outbox");

			JsonNode foretold = reroute(client, queue, ",\"dryRun\":true").json();
			assertThat(foretold.path("affected").asInt() + foretold.path("passedOver").asInt()).isEqualTo(3 * KEYS);
			assertThat(application.count("exchange = '" + this.wrong + "'")).isEqualTo(3 * KEYS);
			Awaitility.await().untilAsserted(() -> {
				Reply reply = reroute(client, queue, "");
				assertThat(reply.status()).isEqualTo(200);
				assertThat(application.count("exchange = '" + this.wrong + "'")).isZero();
			});

			application.awaitEmpty();
			queue.await(3 * KEYS);
			assertThat(queue.firstArrivals()).extracting(Arrival::messageId).hasSameElementsAs(ids);
			if (ordered) {
				assertThat(IntStream.range(0, KEYS))
					.allSatisfy((key) -> assertThat(queue.versionsOf("order-" + key)).containsExactly(1, 2, 3));
			}
		}
	}

	@Test
	void besideInstancesThatStillWriteToTheOldExchangeNothingIsLostAndTheOrderIsKept() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication old = OutboxApplication.on(this.database)
					.with("outbox.rabbit.exchange", this.wrong)
					.with("outbox.retry.max-interval", "1s")
					.start();
				OutboxApplication application = writable().sendingTo(queue).start()) {
			WebClient client = WebClient.of(application, "/actuator/outbox");
			for (int version = 1; version <= 20; version++) {
				publish((version % 3 == 0) ? application : old, version);
				assertThat(reroute(client, queue, "").status()).isEqualTo(200);
			}
			Awaitility.await().untilAsserted(() -> {
				reroute(client, queue, "");
				assertThat(application.depth()).isZero();
			});
			queue.await(20 * KEYS);
			for (int key = 0; key < KEYS; key++) {
				assertThat(queue.versionsOf("order-" + key))
					.containsExactlyElementsOf(IntStream.rangeClosed(1, 20).boxed().toList());
			}
		}
	}

	@Test
	void deadLettersGoToTheNewExchangeWhenTheyAreRequeued() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = writable().with("outbox.rabbit.exchange", this.wrong)
					.with("outbox.retry.max-attempts", 1)
					.with("outbox.retry.on-exhausted", "dead-letter")
					.start()) {
			application.publish(new OrderPlaced("a", 1), new OrderPlaced("a", 2));
			application.awaitEmpty();
			WebClient client = WebClient.of(application, "/actuator/outbox");
			assertThat(reroute(client, queue, "").json().path("affected").asInt()).isEqualTo(2);
			assertThat(client.listed("exchange", "state=dead")).containsExactly(queue.exchange(), queue.exchange());
			assertThat(queue.arrivals()).as("a dead letter stays one").isEmpty();
			assertThat(client.post("/requeue", "{\"all\":true}").json().path("affected").asInt()).isEqualTo(2);
			queue.await(2);
			assertThat(queue.versionsOf("a")).containsExactly(1, 2);
		}
	}

	@Test
	void aRoutingKeyThatNothingIsBoundToIsCorrectedForOneName(CapturedOutput output) {
		try (TestQueue queue = TestQueue.bound("orders.*");
				OutboxApplication application = writable().sendingTo(queue).start()) {
			application.publish(new OrderLost("a", 1), new OrderPlaced("b", 1), new OrderLost("c", 1));
			awaitFailures(application, 3);
			WebClient client = WebClient.of(application, "/actuator/outbox");
			assertThat(client
				.post("/reroute", "{\"key\":\"a\",\"routingKey\":\"order.lost\",\"toRoutingKey\":\"orders.found\"}")
				.json()
				.path("affected")
				.asInt()).isOne();
			assertThat(queue.await(1).get(0).routingKey()).isEqualTo("orders.found");
			assertThat(output).contains(
					"Outbox REROUTE of key 'a' from routing key 'order.lost' to routing key 'orders.found': 1 message(s)");
			assertThat(application.rows()).extracting("partitionKey").containsExactly("b", "c");
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			{"all":true}                                            | 'toExchange'
			{"toExchange":"x"}                                      | which messages
			{"all":true,"exchange":"x","toExchange":"x"}            | already
			{"all":false,"toExchange":"x"}                          | which messages
			{"all":true,"name":"x","toExchange":"x"}                | 'all'
			{"name":"\u00e9","toExchange":"x"}                      | ASCII
			""")
	void whatMakesNoSenseIsRefusedWithTheReason(String body, String problem) {
		try (OutboxApplication application = writable().withoutRelay().start()) {
			application.publish(new OrderPlaced("a", 1));
			Reply reply = WebClient.of(application, "/actuator/outbox").post("/reroute", body);
			assertThat(reply.status()).isEqualTo(400);
			assertThat(reply.json().path("problem").asString()).contains(problem);
			assertThat(application.count("exchange = 'amq.topic'")).isOne();
		}
	}

	@Test
	void otherVerbsTakeNoDestination() {
		try (OutboxApplication application = writable().withoutRelay().start()) {
			WebClient client = WebClient.of(application, "/actuator/outbox");
			for (String field : List.of("exchange", "routingKey", "toExchange", "toRoutingKey")) {
				Reply reply = client.post("/retry", "{\"all\":true,\"%s\":\"x\"}".formatted(field));
				assertThat(reply.status()).isEqualTo(400);
				assertThat(reply.json().path("problem").asString()).contains("reroute");
			}
		}
	}

	private Reply reroute(WebClient client, TestQueue queue, String more) {
		return client.post("/reroute",
				"{\"exchange\":\"%s\",\"toExchange\":\"%s\"%s}".formatted(this.wrong, queue.exchange(), more));
	}

	private static void publish(OutboxApplication application, int version) {
		application
			.publish(IntStream.range(0, KEYS).mapToObj((key) -> new OrderPlaced("order-" + key, version)).toArray());
	}

	private static void awaitFailures(OutboxApplication application, int failures) {
		Awaitility.await().until(() -> application.count("failed_at IS NOT NULL") >= failures);
	}

	private Builder writable() {
		return WebClient.served(OutboxApplication.on(this.database))
			.with("management.endpoints.web.exposure.include", "outbox")
			.with("management.endpoint.outbox.access", "unrestricted");
	}

}
