/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.servers.Servers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The whole sample, on the database and the broker that {@link Servers} chose.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@ActiveProfiles("services")
@Tag("slow")
class SampleApplicationTests {

	private static final SampleOnServers SAMPLE = SampleOnServers.fresh();

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private Shop shop;

	@Autowired
	private JdbcTemplate jdbc;

	@DynamicPropertySource
	static void servers(DynamicPropertyRegistry registry) {
		SAMPLE.register(registry);
	}

	@BeforeEach
	void open(@LocalServerPort int port) {
		this.shop = Shop.at(port);
	}

	@AfterAll
	static void leaveTheBrokerAsItWas(@Autowired RabbitListenerEndpointRegistry listeners,
			@Autowired AmqpAdmin broker) {
		SAMPLE.leaveTheBrokerAsItWas(listeners, broker);
	}

	@Test
	void anOrderShowsItsEventsCommittedAndArrivedInOrder() {
		String id = this.shop.placeOrder();
		this.shop.post("/api/orders/" + id + "/lines", Shop.line());
		this.shop.post("/api/orders/" + id + "/lines", Shop.line());
		this.shop.post("/api/orders/" + id + "/shipment", Map.of());

		JsonNode order = awaitComplete(id);

		assertThat(order.get("status").asString()).isEqualTo("SHIPPED");
		assertThat(order.get("total").decimalValue()).isEqualByComparingTo("29.40");
		assertThat(order.get("inOrder").asBoolean()).isTrue();
		assertThat(Shop.texts(order.at("/events/committed"), "name")).containsExactly("order.placed",
				"order.line-added", "order.line-added", "order.shipped");
		assertThat(Shop.versions(order.at("/events/committed"))).containsExactly(1L, 2L, 3L, 4L);
		assertThat(Shop.versions(order.at("/events/arrived"))).containsExactly(1L, 2L, 3L, 4L);
		assertThat(Shop.texts(order.at("/events/arrived"), "verdict")).containsOnly("IN_ORDER");
	}

	@Test
	void aCancelledOrderTellsSoAndCannotBeChanged() {
		String id = this.shop.placeOrder();
		this.shop.post("/api/orders/" + id + "/cancellation", Map.of());

		this.shop.tryToPost("/api/orders/" + id + "/lines", Shop.line()).expectStatus().isEqualTo(HttpStatus.CONFLICT);

		assertThat(Shop.texts(awaitComplete(id).at("/events/committed"), "name")).containsExactly("order.placed",
				"order.cancelled");
	}

	@Test
	@Tag("order")
	void aThousandEventsFromManyThreadsKeepTheOrderOfEveryOrder() {
		JsonNode before = this.shop.totals();

		this.shop.post("/api/load", Map.of("events", 1000, "orders", 50, "threads", 8));
		await().atMost(PATIENCE).until(() -> !this.shop.get("/api/overview").at("/load/running").asBoolean());
		await().atMost(PATIENCE).until(() -> settled(this.shop.totals()));

		JsonNode load = this.shop.get("/api/overview").get("load");
		assertThat(load.get("failure").isNull()).isTrue();
		assertThat(load.get("rolledBack").asInt()).isPositive();
		JsonNode after = this.shop.totals();
		assertThat(increase(before, after, "committed")).isEqualTo(1000);
		assertThat(increase(before, after, "arrived")).isEqualTo(1000);
		assertThat(increase(before, after, "orders")).isEqualTo(50);
		assertThat(increase(before, after, "violations")).isZero();
		assertEveryNewestOrderIsComplete();
	}

	@Test
	void whatPrometheusAndTheEndpointSayUnderLoadIsWhatWasCommittedAndArrived() {
		await().atMost(PATIENCE).until(() -> settled(this.shop.totals()));
		JsonNode before = this.shop.totals();
		double published = metric("outbox_messages_published_total");
		double latencies = metric("outbox_latency_seconds_count");
		long relayed = this.shop.get("/actuator/outbox").at("/relay/published").asLong();

		this.shop.post("/api/load", Map.of("events", 2000, "orders", 50, "threads", 8));
		await().atMost(PATIENCE).until(() -> metric("outbox_messages_published_total") > published);
		await().atMost(PATIENCE).until(() -> !this.shop.get("/api/overview").at("/load/running").asBoolean());
		await().atMost(PATIENCE).until(() -> settled(this.shop.totals()));

		JsonNode after = this.shop.totals();
		assertThat(increase(before, after, "committed")).isEqualTo(2000);
		assertThat(increase(before, after, "arrived")).isEqualTo(2000);
		// Messages arrive before their batch has ended
		await().atMost(PATIENCE)
			.untilAsserted(() -> assertThat(metric("outbox_messages_published_total") - published).isEqualTo(2000));
		assertThat(metric("outbox_latency_seconds_count") - latencies).isEqualTo(2000);
		JsonNode overview = this.shop.get("/actuator/outbox");
		assertThat(overview.at("/relay/published").asLong() - relayed).isEqualTo(2000);
		assertThat(overview.at("/backlog/count").asLong()).isZero();
		await().atMost(PATIENCE).until(() -> metric("outbox_depth_messages") == 0);
	}

	@Test
	void whatPrometheusAndTheEndpointSayOfABacklogIsWhatWasCommitted(@Autowired OutboxRelay relay) {
		await().atMost(PATIENCE).until(() -> settled(this.shop.totals()));
		JsonNode before = this.shop.totals();
		relay.pause();
		try {
			this.shop.post("/api/load", Map.of("events", 300, "orders", 30, "threads", 4));
			await().atMost(PATIENCE).until(() -> !this.shop.get("/api/overview").at("/load/running").asBoolean());
			assertThat(increase(before, this.shop.totals(), "committed")).isEqualTo(300);
			JsonNode overview = this.shop.get("/actuator/outbox");
			assertThat(overview.at("/relay/state").asString()).isEqualTo("paused");
			assertThat(overview.at("/backlog/count").asLong()).isEqualTo(300);
			assertThat(overview.at("/lagMillis").asLong()).isPositive();
			await().atMost(PATIENCE).until(() -> metric("outbox_depth_messages") == 300);
			assertThat(metric("outbox_lag_seconds")).isPositive();
			assertThat(metric("outbox_relay_workers")).isEqualTo(2);
			assertThat(increase(before, this.shop.totals(), "arrived")).isZero();
		}
		finally {
			relay.resume();
		}
		await().atMost(PATIENCE).until(() -> settled(this.shop.totals()));
		assertThat(increase(before, this.shop.totals(), "arrived")).isEqualTo(300);
		await().atMost(PATIENCE).until(() -> metric("outbox_depth_messages") == 0);
	}

	private double metric(String name) {
		String scrape = text("/actuator/prometheus");
		return Pattern.compile("(?m)^" + name + "(?:\\{[^}]*})? (\\S+)$")
			.matcher(scrape)
			.results()
			.mapToDouble((sample) -> Double.parseDouble(sample.group(1)))
			.sum();
	}

	private void assertEveryNewestOrderIsComplete() {
		for (JsonNode order : this.shop.get("/api/orders")) {
			List<Long> committed = Shop.versions(order.at("/events/committed"));
			assertThat(order.get("status").asString()).isEqualTo("SHIPPED");
			assertThat(committed).isEqualTo(LongStream.rangeClosed(1, committed.size()).boxed().toList());
			assertThat(Shop.versions(order.at("/events/arrived")).stream().distinct().toList()).isEqualTo(committed);
		}
	}

	@Test
	void whatWasRolledBackIsInNoTable() {
		this.shop.post("/api/load", Map.of("events", 200, "orders", 20, "threads", 4));
		await().atMost(PATIENCE).until(() -> !this.shop.get("/api/overview").at("/load/running").asBoolean());
		await().atMost(PATIENCE).until(() -> settled(this.shop.totals()));

		assertThat(this.jdbc.queryForObject("SELECT SUM(version) FROM orders", Long.class))
			.isEqualTo(this.shop.totals().get("committed").asLong());
		assertThat(outboxIsEmpty()).isTrue();
	}

	@Test
	void theConsumerSeesADuplicateAndAnEventThatNobodyCommitted(@Autowired RabbitTemplate rabbit) {
		String id = this.shop.placeOrder();
		String messageId = awaitComplete(id).at("/events/arrived/0/messageId").asString();

		rabbit.send(SAMPLE.name(), "0", message(id, 1, messageId));
		rabbit.send(SAMPLE.name(), "0", message(id, 2, UUID.randomUUID().toString()));

		await().atMost(PATIENCE).until(() -> this.shop.order(id).at("/events/arrived").size() == 3);
		JsonNode order = this.shop.order(id);
		assertThat(Shop.texts(order.at("/events/arrived"), "verdict")).containsExactly("IN_ORDER", "DUPLICATE",
				"UNCOMMITTED");
		assertThat(order.get("inOrder").asBoolean()).isFalse();
	}

	@Test
	@Tag("order")
	void theConsumerKeepsTheOrderWhileItCannotWrite() {
		this.jdbc.execute("ALTER TABLE arrived_event ADD COLUMN nobody_fills_it INT NOT NULL");
		String id;
		try {
			id = this.shop.placeOrder();
			for (int i = 0; i < 5; i++) {
				this.shop.post("/api/orders/" + id + "/lines", Shop.line());
			}
			await().atMost(PATIENCE).until(this::outboxIsEmpty);
			assertThat(this.shop.order(id).at("/events/arrived")).isEmpty();
		}
		finally {
			this.jdbc.execute("ALTER TABLE arrived_event DROP COLUMN nobody_fills_it");
		}

		JsonNode order = awaitComplete(id);

		assertThat(Shop.versions(order.at("/events/arrived"))).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
		assertThat(order.get("inOrder").asBoolean()).isTrue();
	}

	@Test
	void aMessageFromSomebodyElseStopsNothing(@Autowired RabbitTemplate rabbit) {
		rabbit.send(SAMPLE.name(), "0", MessageBuilder.withBody("{}".getBytes(UTF_8)).build());
		rabbit.send(SAMPLE.name(), "0", MessageBuilder.withBody("no JSON".getBytes(UTF_8)).build());

		assertThat(awaitComplete(this.shop.placeOrder()).get("inOrder").asBoolean()).isTrue();
	}

	@Test
	void whatMakesNoSenseIsRefusedWithAReason() {
		String id = this.shop.placeOrder();
		Map<String, Object> line = Map.of("product", "Oolong", "quantity", 0, "unitPrice", 4.90);
		this.shop.tryToPost("/api/orders/" + id + "/lines", line)
			.expectStatus()
			.isBadRequest()
			.expectBody()
			.jsonPath("$.detail")
			.isEqualTo("'quantity' must be between 1 and 1000");
		this.shop.tryToPost("/api/orders", Map.of("customer", "Grace", "lines", List.of()))
			.expectStatus()
			.isBadRequest()
			.expectBody()
			.jsonPath("$.detail")
			.isEqualTo("'lines' must have between 1 and 100 elements");
		this.shop.tryToPost("/api/orders/" + UUID.randomUUID() + "/shipment", Map.of()).expectStatus().isNotFound();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "/app.js", "/billing.js", "/orders.js", "/tiles.js", "/dom.js", "/style.css",
			"/icon.svg" })
	void thePageNeedsNothingFromOutside(String path) {
		String content = text(path);
		assertThat(content).doesNotContain("innerHTML").doesNotContain("https://");
	}

	@ParameterizedTest
	@CsvSource({ "/actuator/health, UP", "/actuator/prometheus, hikaricp_connections", "/actuator/outbox, backlog",
			"/outbox/, Outbox monitor" })
	void theActuatorIsThere(String path, String part) {
		String content = text(path);
		assertThat(content).contains(part);
	}

	@Test
	void thePageLeadsToTheMonitorOfItsOutbox() {
		Matcher link = Pattern.compile("<a href=\"([^\"]+)\" id=\"monitor\">").matcher(text("/"));
		assertThat(link.find()).isTrue();
		assertThat(text("/" + link.group(1))).contains("<title>Outbox monitor</title>");
	}

	private String text(String path) {
		String content = this.shop.client()
			.get()
			.uri(path)
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody(String.class)
			.returnResult()
			.getResponseBody();
		assertThat(content).isNotNull();
		return content;
	}

	private JsonNode awaitComplete(String id) {
		await().atMost(PATIENCE).until(() -> this.shop.order(id).get("complete").asBoolean());
		return this.shop.order(id);
	}

	private boolean outboxIsEmpty() {
		return this.jdbc.queryForList("SELECT id FROM outbox_message").isEmpty();
	}

	private static boolean settled(JsonNode totals) {
		return totals.get("depth").asLong() == 0 && totals.get("arrived").asLong() >= totals.get("committed").asLong();
	}

	private static long increase(JsonNode before, JsonNode after, String field) {
		return after.get(field).asLong() - before.get(field).asLong();
	}

	private static Message message(String orderId, long version, String messageId) {
		String body = "{\"orderId\":\"%s\",\"version\":%d,\"total\":0}".formatted(orderId, version);
		return MessageBuilder.withBody(body.getBytes(UTF_8))
			.setContentType("application/json")
			.setMessageId(messageId)
			.setType("order.placed")
			.build();
	}

}
