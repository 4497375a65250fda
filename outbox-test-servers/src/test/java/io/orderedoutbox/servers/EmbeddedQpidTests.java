/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class EmbeddedQpidTests {

	private static EmbeddedQpid broker;

	@BeforeAll
	static void start() {
		broker = EmbeddedQpid.start();
	}

	@AfterAll
	static void stop() {
		broker.close();
	}

	@Test
	void confirmsAndDeliversAMessage() throws Exception {
		try (Connection connection = connect(broker); Channel channel = connection.createChannel()) {
			channel.queueDeclare("confirmed", true, false, false, null);
			publish(channel, "confirmed", "hello");
			GetResponse message = channel.basicGet("confirmed", true);
			assertThat(new String(message.getBody(), StandardCharsets.UTF_8)).isEqualTo("hello");
			assertThat(channel.basicGet("confirmed", true)).isNull();
		}
	}

	@Test
	void takesTheDeclareArgumentsOfRabbitMq() throws Exception {
		try (Connection connection = connect(broker); Channel channel = connection.createChannel()) {
			channel.queueDeclare("quorum", true, false, false,
					Map.of("x-queue-type", "quorum", "x-dead-letter-exchange", "dead"));
			channel.exchangeDeclare("events", "topic", true, false, Map.of("alternate-exchange", "unrouted"));
			channel.queueBind("quorum", "events", "order.*");
			channel.basicPublish("events", "order.placed", null, new byte[] { 1 });
			assertThat(channel.messageCount("quorum")).isLessThanOrEqualTo(1);
		}
	}

	@Test
	void comesBackOnThePortItHad() throws Exception {
		EmbeddedQpid first = EmbeddedQpid.start();
		first.close();
		try (EmbeddedQpid second = EmbeddedQpid.start(first.port()); Connection connection = connect(second)) {
			assertThat(second.port()).isEqualTo(first.port());
			assertThat(connection.isOpen()).isTrue();
		}
	}

	@Test
	void aTakenPortIsAnErrorThatNamesIt() {
		assertThatIllegalStateException().isThrownBy(() -> EmbeddedQpid.start(broker.port()))
			.withMessageContaining("port " + broker.port());
	}

	private static void publish(Channel channel, String queue, String body) throws Exception {
		channel.confirmSelect();
		channel.basicPublish("", queue, true, MessageProperties.PERSISTENT_TEXT_PLAIN,
				body.getBytes(StandardCharsets.UTF_8));
		channel.waitForConfirmsOrDie(10_000);
	}

	private static Connection connect(EmbeddedQpid server) throws Exception {
		ConnectionFactory factory = new ConnectionFactory();
		factory.setHost(server.host());
		factory.setPort(server.port());
		factory.setUsername(server.username());
		factory.setPassword(server.password());
		return factory.newConnection();
	}

}
