/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.jdbc.dialect.Dialect;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.servers.Broker;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.StoredMessage;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * An application, as the tests of a user start it, whose {@code DataSource} is what
 * Spring Boot makes where there is H2 and no URL: the outbox needs no property for it.
 */
@Tag("order")
class H2ApplicationTests {

	@Test
	void messagesReachRabbitMqWithoutAnyPropertyOfTheOutbox() throws Exception {
		Broker broker = Servers.broker();
		String order = UUID.randomUUID().toString();
		try (TestQueue queue = TestQueue.bound("none");
				ConfigurableApplicationContext context = start("spring.rabbitmq.host=" + broker.host(),
						"spring.rabbitmq.port=" + broker.port(), "spring.rabbitmq.username=" + broker.username(),
						"spring.rabbitmq.password=" + broker.password())) {
			queue.channel().queueBind(queue.exchange(), "amq.topic", "h2.shipped");
			assertThat(context.getBean(OutboxDatabase.class).dialect()).isSameAs(Dialect.H2);
			context.getBean(Shop.class).ship(order, 1);
			Awaitility.await().until(() -> queue.arrivals().stream().anyMatch((one) -> one.text().contains(order)));
			awaitEmpty(context);
		}
	}

	@Test
	void theOrderOfAKeyIsKeptWithASenderOfTheTest() {
		try (ConfigurableApplicationContext context = start("test.sender=true", "outbox.ordered=true")) {
			Shop shop = context.getBean(Shop.class);
			assertThatIllegalStateException().isThrownBy(() -> shop.fail("a"));
			for (int version = 1; version <= 20; version++) {
				shop.ship("a", version);
			}
			awaitEmpty(context);
			assertThat(context.getBean(Recorded.class).bodies).isEqualTo(
					IntStream.rangeClosed(1, 20).mapToObj("{\"orderId\":\"a\",\"version\":%d}"::formatted).toList());
		}
	}

	private static ConfigurableApplicationContext start(String... properties) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.registerShutdownHook(false)
			.properties("spring.main.banner-mode=off", "spring.autoconfigure.exclude=" + OutboxApplication.JPA)
			.properties(properties)
			.run();
	}

	private static void awaitEmpty(ConfigurableApplicationContext context) {
		JdbcClient jdbc = context.getBean(JdbcClient.class);
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> jdbc.sql("SELECT COUNT(*) FROM outbox_message").query(Long.class).single() == 0);
	}

	/**
	 * What the application says.
	 */
	@OutboxMessage("h2.shipped")
	public record Shipped(@PartitionKey String orderId, int version) {

	}

	/**
	 * What the application does.
	 */
	static class Shop {

		private final ApplicationEventPublisher events;

		Shop(ApplicationEventPublisher events) {
			this.events = events;
		}

		@Transactional
		public void ship(String order, int version) {
			this.events.publishEvent(new Shipped(order, version));
		}

		@Transactional
		public void fail(String order) {
			ship(order, 0);
			throw new IllegalStateException("rolled back");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Shop shop(ApplicationEventPublisher events) {
			return new Shop(events);
		}

		@Bean
		@ConditionalOnProperty("test.sender")
		Recorded recorded() {
			return new Recorded();
		}

	}

	/**
	 * Takes everything, and remembers it.
	 */
	static final class Recorded implements MessageSender {

		private final List<String> bodies = new CopyOnWriteArrayList<>();

		@Override
		public void withChannel(Consumer<SendingChannel> work) {
			Queue<Outcome> outcomes = new ArrayDeque<>();
			work.accept(new SendingChannel() {

				@Override
				public void send(StoredMessage message) {
					Recorded.this.bodies.add(new String(message.message().payload(), StandardCharsets.UTF_8));
					outcomes.add(Outcome.published(message.id()));
				}

				@Override
				public @Nullable Outcome nextOutcome(Duration timeout) {
					return outcomes.poll();
				}

			});
		}

	}

}
