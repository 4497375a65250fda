/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.impl.LongStringHelper;
import io.orderedoutbox.HeaderStamp;
import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKeyStamp;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import io.orderedoutbox.testing.TestQueue.Arrival;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a consumer sees of a message.
 */
class AmqpMessageTests {

	@Test
	void carriesTheDocumentedPropertiesAndNothingElse() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.start()) {
			OutboxRelay relay = application.bean(OutboxRelay.class);
			relay.stop();
			UUID id = application.transaction()
				.execute((status) -> application.outbox()
					.publish(new Greeting("hello"), PartitionKeyStamp.of("the-secret-key"),
							HeaderStamp.of("tenant", "blue"), HeaderStamp.of("x-origin", "Zürich")));
			long createdAt = application.jdbc()
				.sql("SELECT TIMESTAMPDIFF(SECOND, '1970-01-01', created_at) FROM outbox_message")
				.query(Long.class)
				.single();
			relay.start();
			Arrival arrival = queue.await(1).get(0);
			assertThat(arrival.text()).isEqualTo("{\"text\":\"hello\"}");
			assertThat(arrival.routingKey()).isEqualTo("test.greeting");
			assertThat(arrival.properties()).isEqualTo(properties(id, "test.greeting", createdAt,
					Map.of("x-message-id", id.toString(), "tenant", "blue", "x-origin", "Zürich")));
			assertThat(arrival.properties().toString()).doesNotContain("the-secret-key");
		}
	}

	@Test
	void carriesNoHeaderButTheMessageIdWhenTheApplicationGivesNone() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.start()) {
			UUID id = application.publish(new OrderPlaced("a", 1));
			Arrival arrival = queue.await(1).get(0);
			assertThat(arrival.properties()).isEqualTo(properties(id, "order.placed",
					arrival.properties().getTimestamp().getTime() / 1000, Map.of("x-message-id", id.toString())));
		}
	}

	@Test
	void hasTheSameIdOnBothDeliveriesWhenTheDatabaseIsLostBetweenConfirmAndDelete() {
		Database database = Servers.database().fresh();
		try (TestQueue queue = TestQueue.forEverything();
				TcpProxy proxy = TcpProxy.to(database);
				OutboxApplication writer = OutboxApplication.on(database).sendingTo(queue).withoutRelay().start();
				OutboxApplication application = OutboxApplication.on(database)
					.sendingTo(queue)
					.databaseThrough(proxy)
					.with("outbox.relay.workers", 1)
					.with("outbox.relay.poll-interval", "50ms")
					.start()) {
			proxy.resetBefore("DELETE m FROM");
			UUID first = writer.publish(new OrderPlaced("a", 1));
			Awaitility.await().until(() -> proxy.resets() > 0);
			UUID second = writer.publish(new OrderPlaced("a", 2));
			writer.awaitEmpty();
			queue.await(3);
			assertThat(application.context().isActive()).isTrue();
			assertThat(queue.arrivals()).extracting(Arrival::messageId)
				.containsExactlyElementsOf(List.of(first.toString(), first.toString(), second.toString()));
			assertThat(queue.arrivals().get(0).properties()).isEqualTo(queue.arrivals().get(1).properties());
			assertThat(queue.arrivals().get(0).body()).isEqualTo(queue.arrivals().get(1).body());
		}
	}

	private static AMQP.BasicProperties properties(UUID id, String name, long timestamp, Map<String, String> headers) {
		Map<String, Object> received = new HashMap<>();
		headers.forEach((header, value) -> received.put(header, LongStringHelper.asLongString(value)));
		return new AMQP.BasicProperties.Builder().messageId(id.toString())
			.type(name)
			.contentType("application/json")
			.timestamp(new Date(timestamp * 1000))
			.deliveryMode(2)
			.headers(received)
			.build();
	}

	@OutboxMessage("test.greeting")
	record Greeting(String text) {

	}

}
