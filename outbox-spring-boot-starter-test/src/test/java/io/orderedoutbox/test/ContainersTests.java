/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import io.orderedoutbox.test.shop.OrderPlaced;
import io.orderedoutbox.test.shop.Orders;
import io.orderedoutbox.test.shop.ShopApplication;
import org.junit.jupiter.api.Test;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.mysql.MySQLContainer;
import org.testcontainers.rabbitmq.RabbitMQContainer;

import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * MySQL and RabbitMQ in containers, whose addresses the outbox takes from Spring Boot.
 * Skipped where there is no Docker.
 */
@SpringBootTest(classes = ShopApplication.class, webEnvironment = WebEnvironment.NONE,
		properties = { "outbox.jdbc.initialize-schema=always", "outbox.rabbit.exchange=" + Topology.EXCHANGE })
@AutoConfigureOutboxTest(replace = {})
@Import(Topology.class)
@Testcontainers(disabledWithoutDocker = true)
class ContainersTests {

	@Container
	@ServiceConnection
	static final MySQLContainer mysql = new MySQLContainer("mysql:8.4");

	@Container
	@ServiceConnection
	static final RabbitMQContainer rabbitmq = new RabbitMQContainer("rabbitmq:4");

	@Test
	void theOutboxStoresInOneAndSendsToTheOther(@Autowired Orders orders, @Autowired RabbitTemplate rabbit,
			@Autowired Queue queue, PublishedMessages messages, OutboxRelayDriver relay) {
		orders.place(42);
		relay.drain();
		assertThat(messages.arrived()).inOrder(new OrderPlaced(42));
		assertThat(rabbit.receive(queue.getName(), 10_000)).isNotNull();
	}

}
