/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.rabbitmq.client.AMQP;
import io.orderedoutbox.HeaderStamp;
import io.orderedoutbox.PartitionKeyStamp;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.publish.Publication;
import io.orderedoutbox.publish.Route;
import io.orderedoutbox.publish.RoutingStrategy;
import io.orderedoutbox.servers.RequiresRabbitMq;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import io.orderedoutbox.testing.TestQueue.Arrival;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A strategy of the application that decides by what is in the event, and headers that
 * consumers need for order: on the real broker.
 */
class RoutedByContentTests {

	@Test
	@RequiresRabbitMq
	void whatTheRouteSaysArrives() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application(queue).with(ByContent.class).start()) {
			UUID id = application.transaction()
				.execute((status) -> application.outbox()
					.publish(new OrderPlaced("a", 3), HeaderStamp.of("tenant", "from the stamp"),
							HeaderStamp.of("region", "north")));
			Arrival arrival = queue.await(1).get(0);
			AMQP.BasicProperties properties = arrival.properties();
			int partition = application.bean(OutboxDatabase.class).partitions().of("a");
			assertThat(arrival.routingKey()).isEqualTo("order.placed." + partition + ".a.3");
			assertThat(properties.getPriority()).isEqualTo(5);
			assertThat(properties.getExpiration()).isEqualTo("3600000");
			assertThat(properties.getAppId()).isEqualTo("shop");
			assertThat(properties.getCorrelationId()).isEqualTo(id.toString());
			Map<String, Object> headers = properties.getHeaders();
			assertThat(headers).containsOnlyKeys("x-message-id", "version", "express", "weight", "tenant", "region");
			assertThat(headers).containsEntry("version", 3L)
				.containsEntry("express", true)
				.containsEntry("weight", 0.5);
			assertThat(headers.get("tenant")).hasToString("from the stamp");
		}
	}

	@Test
	@RequiresRabbitMq
	void aMessageWithoutAKeyIsRoutedByThePartitionOfItsId() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application(queue).with(ByContent.class)
					.with("outbox.rabbit.headers.partition", true)
					.with("outbox.rabbit.headers.partition-key", true)
					.start()) {
			UUID id = application.transaction()
				.execute((status) -> application.outbox().publish(new OrderPlaced("a", 1), PartitionKeyStamp.none()));
			Arrival arrival = queue.await(1).get(0);
			long partition = application.bean(OutboxDatabase.class).partitions().of("", id);
			assertThat(arrival.routingKey()).isEqualTo("order.placed." + partition + "..1");
			assertThat(arrival.properties().getHeaders()).containsEntry("x-partition", partition)
				.doesNotContainKey("x-partition-key");
		}
	}

	@Test
	void whatConsumersNeedForOrderArrivesWhenItIsAskedFor() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application(queue).with("outbox.rabbit.headers.partition", true)
					.with("outbox.rabbit.headers.partition-key", true)
					.with("outbox.rabbit.headers.position", true)
					.with("outbox.rabbit.headers.published-at", true)
					.start()) {
			Instant before = Instant.now().minus(Duration.ofMinutes(1));
			application.publish(new OrderPlaced("a", 1), new OrderPlaced("b", 1));
			application.publish(new OrderPlaced("a", 2));
			List<Arrival> ofA = queue.await(3)
				.stream()
				.filter((arrival) -> arrival.properties().getHeaders().get("x-partition-key").toString().equals("a"))
				.toList();
			assertThat(ofA).hasSize(2)
				.allSatisfy((arrival) -> assertThat(arrival.properties().getHeaders()).containsEntry("x-partition",
						(long) application.bean(OutboxDatabase.class).partitions().of("a")));
			assertThat(ofA).extracting((arrival) -> (Long) arrival.properties().getHeaders().get("x-position"))
				.isSorted()
				.doesNotHaveDuplicates();
			assertThat(ofA).allSatisfy((arrival) -> {
				long micros = (Long) arrival.properties().getHeaders().get("x-published-at");
				assertThat(Instant.EPOCH.plus(micros, ChronoUnit.MICROS)).isAfter(before);
				assertThat(micros / 1_000_000).isEqualTo(arrival.properties().getTimestamp().getTime() / 1000);
			});
		}
	}

	private static OutboxApplication.Builder application(TestQueue queue) {
		return OutboxApplication.on(Servers.database().fresh()).sendingTo(queue).with("outbox.ordered", true);
	}

	@Configuration(proxyBeanMethods = false)
	static class ByContent {

		@Bean
		RoutingStrategy byContent(Environment environment) {
			String exchange = environment.getRequiredProperty("outbox.rabbit.exchange");
			return (publication) -> Route.to(exchange, routingKey(publication))
				.withHeader("version", ((OrderPlaced) publication.event()).version())
				.withHeader("express", true)
				.withHeader("weight", 0.5)
				.withHeader("tenant", "from the route")
				.withPriority(5)
				.withExpiration(Duration.ofHours(1))
				.withAppId("shop")
				.withCorrelationId(publication.messageId().toString());
		}

		private static String routingKey(Publication publication) {
			return "%s.%d.%s.%d".formatted(publication.name(), publication.partition(), publication.partitionKey(),
					((OrderPlaced) publication.event()).version());
		}

	}

}
