/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import io.orderedoutbox.servers.Broker;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.test.shop.OrderPlaced;
import io.orderedoutbox.test.shop.Orders;
import io.orderedoutbox.test.shop.ShopApplication;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The whole outbox of the application, between a database and a broker, and a test that
 * drives its relay.
 */
@SpringBootTest(classes = ShopApplication.class, webEnvironment = WebEnvironment.NONE,
		properties = "outbox.jdbc.initialize-schema=always")
@AutoConfigureOutboxTest(replace = {})
@Import(Topology.class)
class NothingReplacedTests {

	@DynamicPropertySource
	static void servers(DynamicPropertyRegistry properties) {
		Database database = Servers.database().fresh();
		properties.add("spring.datasource.url", database::jdbcUrl);
		properties.add("spring.datasource.username", database::username);
		properties.add("spring.datasource.password", database::password);
		Broker broker = Servers.broker();
		properties.add("spring.rabbitmq.host", broker::host);
		properties.add("spring.rabbitmq.port", broker::port);
		properties.add("spring.rabbitmq.username", broker::username);
		properties.add("spring.rabbitmq.password", broker::password);
		properties.add("outbox.rabbit.exchange", () -> Topology.EXCHANGE);
	}

	@Test
	void messagesReachTheQueueWhenTheTestSaysSo(@Autowired Orders orders, @Autowired RabbitTemplate rabbit,
			@Autowired Queue queue, PublishedMessages messages, OutboxRelayDriver relay) {
		orders.place(42);
		assertThat(rabbit.receive(queue.getName())).isNull();
		relay.drain();
		Message received = rabbit.receive(queue.getName(), 10_000);
		assertThat(received).isNotNull();
		assertThat(messages.arrived()).inOrder(new OrderPlaced(42));
		assertThat(messages.arrived().toList().get(0).body()).isEqualTo(received.getBody());
	}

}
