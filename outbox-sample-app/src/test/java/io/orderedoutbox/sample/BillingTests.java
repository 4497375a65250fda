/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.orderedoutbox.servers.RequiresRabbitMq;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Billing, the consumer of the sample that has queues of shards and an inbox.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@ActiveProfiles("services")
@RequiresRabbitMq
@Tag("slow")
class BillingTests {

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

	@AfterEach
	void work() {
		this.shop.delete("/api/billing/failure");
	}

	@AfterAll
	static void leaveTheBrokerAsItWas(@Autowired RabbitListenerEndpointRegistry listeners,
			@Autowired AmqpAdmin broker) {
		SAMPLE.leaveTheBrokerAsItWas(listeners, broker);
	}

	@Test
	@Tag("order")
	void anOrderIsBilledOnceAndInOrderWhileTheHandlerFailsAndWorksAgain() {
		String held = this.shop.placeOrder();
		String other = this.shop.placeOrder();
		awaitBilled(held, 1);
		this.shop.post("/api/billing/failure", Map.of("orderId", held));
		for (int line = 0; line < 5; line++) {
			this.shop.post("/api/orders/" + held + "/lines", Shop.line());
			this.shop.post("/api/orders/" + other + "/lines", Shop.line());
		}

		awaitBilled(other, 6);
		await().atMost(PATIENCE).until(() -> sum("heldKeys") == 1 && sum("heldMessages") == 5 && sum("retried") > 1);
		assertThat(billed(held)).containsExactly(1L);
		assertThat(invoice(held).get("failing").asBoolean()).isTrue();
		assertThat(invoice(other).get("failing").asBoolean()).isFalse();
		assertThat(billing().get("failed").asLong()).isPositive();

		this.shop.delete("/api/billing/failure");
		awaitBilled(held, 6);
		assertThat(billed(held)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
		assertThat(invoice(held).get("inOrder").asBoolean()).isTrue();
		assertThat(invoice(held).get("amount").decimalValue())
			.isEqualByComparingTo(this.shop.order(held).get("total").decimalValue());
		await().atMost(PATIENCE).until(() -> sum("heldKeys") == 0);
		assertThat(sum("deadLettered")).isZero();
	}

	@Test
	@Tag("order")
	void whileItFailsForSomeOrdersAThousandEventsAreBilledOnceAndInOrder() {
		this.shop.post("/api/billing/failure", Map.of("oneIn", 5));
		this.shop.post("/api/load", Map.of("events", 1000, "orders", 50, "threads", 8));
		await().atMost(PATIENCE).until(() -> sum("heldKeys") > 0);
		this.shop.post("/api/billing/duplicates", Map.of());
		await().atMost(PATIENCE).until(() -> !this.shop.get("/api/overview").at("/load/running").asBoolean());
		this.shop.delete("/api/billing/failure");
		await().atMost(PATIENCE).until(() -> billing().get("billed").asLong() >= committed());

		assertThat(billing().get("billed").asLong()).isEqualTo(committed());
		for (String order : this.jdbc.queryForList("SELECT id FROM orders", String.class)) {
			List<Long> billed = billed(order);
			assertThat(billed).isEqualTo(LongStream.rangeClosed(1, billed.size()).boxed().toList());
		}
	}

	@Test
	void whatIsPublishedAgainIsCountedAndNotBilled() {
		String order = this.shop.placeOrder();
		this.shop.post("/api/orders/" + order + "/lines", Shop.line());
		awaitBilled(order, 2);
		long billed = billing().get("billed").asLong();
		long processed = billing().get("processed").asLong();
		long duplicates = billing().get("duplicates").asLong();

		int published = this.shop.post("/api/billing/duplicates", Map.of()).get("published").asInt();

		assertThat(published).isGreaterThanOrEqualTo(2);
		await().atMost(PATIENCE).until(() -> billing().get("duplicates").asLong() == duplicates + published);
		assertThat(billing().get("processed").asLong()).isEqualTo(processed);
		assertThat(billing().get("billed").asLong()).isEqualTo(billed);
		assertThat(billed(order)).containsExactly(1L, 2L);
	}

	@Test
	void aCancellationTakesBackWhatWasBilled() {
		String order = this.shop.placeOrder();
		this.shop.post("/api/orders/" + order + "/lines", Shop.line());
		this.shop.post("/api/orders/" + order + "/cancellation", Map.of());

		awaitBilled(order, 3);
		assertThat(invoice(order).get("amount").decimalValue()).isEqualByComparingTo("0");
		assertThat(this.jdbc.queryForList("SELECT amount FROM invoice_line WHERE order_id = ? ORDER BY number",
				String.class, order))
			.containsExactly("9.80", "9.80", "-19.60");
	}

	@Test
	void aMessageThatIsNoEventIsADeadLetter(@Autowired RabbitTemplate rabbit, @Autowired AmqpAdmin broker) {
		long before = sum("deadLettered");

		rabbit.send(SAMPLE.name(), "0", MessageBuilder.withBody("no JSON".getBytes(UTF_8)).build());

		await().atMost(PATIENCE).until(() -> sum("deadLettered") == before + 1);
		broker.purgeQueue(SAMPLE.billing() + ".dead-letters");
	}

	@Test
	void eachInstanceTellsWhatItWasHanded(@Autowired Environment environment) {
		this.shop.post("/api/load", Map.of("events", 200, "orders", 50, "threads", 4));
		await().atMost(PATIENCE).until(() -> owners(this.shop).stream().allMatch("HERE"::equals));
		try (ConfigurableApplicationContext second = new SpringApplicationBuilder(SampleApplication.class)
			.profiles("services")
			.run(arguments(environment))) {
			Shop other = Shop.at(((ServletWebServerApplicationContext) second).getWebServer().getPort());
			await().atMost(PATIENCE).until(() -> owners(other).stream().allMatch("ELSEWHERE_OR_IDLE"::equals));
			assertThat(owners(this.shop)).containsOnly("HERE");
			// The switch is for all instances
			other.post("/api/billing/failure", Map.of("oneIn", 7));
			assertThat(billing().at("/failing/oneIn").asInt()).isEqualTo(7);
		}
	}

	@Test
	void whatMakesNoSenseIsRefusedWithAReason() {
		this.shop.tryToPost("/api/billing/failure", Map.of("oneIn", 0))
			.expectStatus()
			.isEqualTo(HttpStatus.BAD_REQUEST)
			.expectBody()
			.jsonPath("$.detail")
			.isEqualTo("'oneIn' must be between 1 and 1000");
		this.shop.tryToPost("/api/billing/failure", Map.of()).expectStatus().isBadRequest();
	}

	private static String[] arguments(Environment environment) {
		return Stream
			.of("server.port", "spring.datasource.url", "spring.datasource.username", "spring.datasource.password",
					"spring.rabbitmq.host", "spring.rabbitmq.port", "spring.rabbitmq.username",
					"spring.rabbitmq.password", "outbox.rabbit.exchange", "outbox.rabbit.shards.name", "sample.queue")
			.map((name) -> "--%s=%s".formatted(name, environment.getProperty(name)))
			.toArray(String[]::new);
	}

	private static List<String> owners(Shop shop) {
		return Shop.texts(shop.get("/api/billing").at("/billing/shards"), "owner");
	}

	private JsonNode billing() {
		return this.shop.get("/api/billing").get("billing");
	}

	private long committed() {
		return this.shop.totals().get("committed").asLong();
	}

	private long sum(String field) {
		return StreamSupport.stream(billing().get("shards").spliterator(), false)
			.mapToLong((shard) -> shard.get(field).asLong())
			.sum();
	}

	private JsonNode invoice(String order) {
		return StreamSupport.stream(billing().get("invoices").spliterator(), false)
			.filter((invoice) -> invoice.get("orderId").asString().equals(order))
			.findFirst()
			.orElseThrow();
	}

	private List<Long> billed(String order) {
		return this.jdbc.queryForList("SELECT version FROM invoice_line WHERE order_id = ? ORDER BY number", Long.class,
				order);
	}

	private void awaitBilled(String order, int events) {
		await().atMost(PATIENCE).until(() -> billed(order).size() >= events);
	}

}
