/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import io.orderedoutbox.MessageIdStamp;
import io.orderedoutbox.inbox.ProcessOnce;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.BindingBuilder;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.TopicExchange;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * From sending at once to the outbox, with old instances, and with some that do both.
 */
@Timeout(120)
class RabbitTemplateMigrationTests {

	private final MigrationProcedure procedure = MigrationProcedure.of(MigrationProcedure.RABBIT_TEMPLATE, "outbox_",
			1);

	@BeforeEach
	void createTables() {
		this.procedure.createOutbox();
		this.procedure.jdbc()
			.sql("CREATE TABLE effect (id INT %s PRIMARY KEY, body VARCHAR(100) NOT NULL)"
				.formatted(this.procedure.choose("AUTO_INCREMENT", "GENERATED ALWAYS AS IDENTITY")))
			.update();
	}

	@AfterEach
	void close() throws IOException {
		this.procedure.queue().channel().queueDelete(this.procedure.queue().exchange() + ".billing");
		this.procedure.close();
	}

	@Test
	void whatIsSentInBothWaysIsProcessedOnce() {
		try (OutboxApplication consumer = consumer();
				OutboxApplication producer = this.procedure.application().withoutRelay().start()) {
			RabbitTemplate rabbit = producer.bean(RabbitTemplate.class);
			// An old instance, and one that compares
			IntStream.range(0, 10).forEach((version) -> send(rabbit, UUID.randomUUID(), new OrderPlaced("a", version)));
			IntStream.range(10, 20).forEach((version) -> both(producer, new OrderPlaced("a", version)));
			// A new one
			IntStream.range(20, 30).forEach((version) -> producer.publish(new OrderPlaced("a", version)));
			awaitEffects(consumer, 20);
			this.procedure.queue().await(20);
			assertThat(this.procedure.ask(0)).first()
				.satisfies((row) -> assertThat(row).containsEntry("waiting", 20L).containsEntry("different_keys", 1L));
			assertThat(this.procedure.relay(20, (application) -> {
			})).hasSize(20);
			awaitEffects(consumer, 30);
			assertThat(this.procedure.queue().arrivals()).hasSize(40);
			// All deliveries are over when that of a last one is
			producer.publish(new OrderPlaced("a", 30));
			this.procedure.relay(1, (application) -> {
			});
			awaitEffects(consumer, 31);
			assertThat(effects(consumer)).containsExactlyElementsOf(
					IntStream.rangeClosed(0, 30).mapToObj("{\"orderId\":\"a\",\"version\":%d}"::formatted).toList());
		}
	}

	@Test
	void whatIsLeftIsSentByAOneShotRelayWhenTheOldVersionIsBack() {
		try (OutboxApplication producer = this.procedure.application().withoutRelay().start()) {
			IntStream.range(0, 20).forEach((version) -> producer.publish(new OrderPlaced("a", version)));
			producer.publish(new OrderPlaced("b", 20));
		}
		assertThat(this.procedure.ask(0)).first()
			.satisfies((row) -> assertThat(row).containsEntry("waiting", 21L).containsEntry("different_keys", 2L));
		assertThat(LastRelay.run(this.procedure.application())).isZero();
		assertThat(this.procedure.ask(0)).first()
			.satisfies((row) -> assertThat(row).containsEntry("waiting", 0L).containsEntry("oldest", null));
		assertThat(this.procedure.queue().await(21)).hasSize(21);
		assertThat(this.procedure.queue().versionsOf("a")).isEqualTo(IntStream.range(0, 20).boxed().toList());
		assertThat(this.procedure.queue().versionsOf("b")).containsExactly(20);
	}

	private OutboxApplication consumer() {
		return this.procedure.application()
			.with("outbox.relay.mode", "off")
			.with("outbox.inbox.enabled", true)
			.with("outbox.inbox.initialize-schema", "always")
			.with("queue", this.procedure.queue().exchange())
			.with(Topology.class, Billing.class)
			.start();
	}

	private void send(RabbitTemplate rabbit, UUID id, OrderPlaced event) {
		Message message = MessageBuilder
			.withBody("{\"orderId\":\"%s\",\"version\":%d}".formatted(event.orderId(), event.version())
				.getBytes(StandardCharsets.UTF_8))
			.setContentType("application/json")
			.setMessageId(id.toString())
			.build();
		rabbit.send(this.procedure.queue().exchange(), "order.placed", message);
	}

	private void both(OutboxApplication producer, OrderPlaced event) {
		UUID id = UUID.randomUUID();
		producer.inTransaction((outbox) -> {
			send(producer.bean(RabbitTemplate.class), id, event);
			outbox.publish(event, MessageIdStamp.of(id));
		});
	}

	private static void awaitEffects(OutboxApplication consumer, int count) {
		Awaitility.await().until(() -> effects(consumer).size() >= count);
	}

	private static List<String> effects(OutboxApplication consumer) {
		return consumer.jdbc().sql("SELECT body FROM effect ORDER BY id").query(String.class).list();
	}

	@Configuration(proxyBeanMethods = false)
	static class Topology {

		@Bean
		TopicExchange exchange(@Value("${queue}") String name) {
			return new TopicExchange(name);
		}

		@Bean
		Queue billingQueue(@Value("${queue}") String name) {
			return new Queue(name + ".billing");
		}

		@Bean
		Binding binding(TopicExchange exchange, Queue billingQueue) {
			return BindingBuilder.bind(billingQueue).to(exchange).with("#");
		}

	}

	static class Billing {

		private final JdbcClient jdbc;

		Billing(JdbcClient jdbc) {
			this.jdbc = jdbc;
		}

		@ProcessOnce("billing")
		@RabbitListener(queues = "${queue}.billing")
		void on(Message message) {
			this.jdbc.sql("INSERT INTO effect (body) VALUES (?)")
				.param(new String(message.getBody(), StandardCharsets.UTF_8))
				.update();
		}

	}

}
