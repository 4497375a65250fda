/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.message;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.ShortWaits;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.BindingBuilder;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.core.TopicExchange;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with a listener, whose queue gets what the outbox sends, and has dead
 * letters.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
abstract class AbstractListenerTests {

	static final String JSON = "{\"orderId\":\"a\",\"version\":1}";

	private final Database database = Servers.database().fresh();

	final String queue = "outbox-test-" + UUID.randomUUID();

	OutboxApplication application;

	@AfterEach
	void stop() throws Exception {
		if (this.application == null) {
			return;
		}
		this.application.close();
		try (Connection connection = TestQueue.connect("outbox-test-cleaning");
				Channel channel = connection.createChannel()) {
			channel.queueDelete(this.queue);
			channel.queueDelete(this.queue + ".dead-letters");
			channel.exchangeDelete(this.queue);
		}
	}

	OutboxApplication.Builder application(Class<?> listener, String... properties) {
		OutboxApplication.Builder builder = OutboxApplication.on(this.database)
			.with("queue", this.queue)
			.with("outbox.rabbit.exchange", this.queue)
			.with(Topology.class, ShortWaits.class, listener);
		for (String property : properties) {
			String[] words = property.split("=", 2);
			builder.with(words[0], words[1]);
		}
		return builder;
	}

	void deliver(Message message) {
		this.application.bean(RabbitTemplate.class).send("", this.queue, message);
	}

	List<Object> got() {
		return this.application.bean(Listener.class).got();
	}

	void awaitPayloads(Object... payloads) {
		Awaitility.await().untilAsserted(() -> assertThat(got()).containsExactly(payloads));
	}

	void awaitDeadLetter(CapturedOutput output, String reason) {
		Message dead = this.application.bean(RabbitTemplate.class).receive(this.queue + ".dead-letters", 10_000);
		assertThat(dead).isNotNull();
		assertThat(output.getAll().split("message listener failed[.]", -1)).as("attempts").hasSize(2);
		assertThat(output).contains(reason);
		assertThat(got()).isEmpty();
	}

	@Configuration(proxyBeanMethods = false)
	static class Topology {

		@Bean
		Queue queue(@Value("${queue}") String name) {
			return QueueBuilder.durable(name)
				.deadLetterExchange("")
				.deadLetterRoutingKey(name + ".dead-letters")
				.build();
		}

		@Bean
		Queue deadLetters(@Value("${queue}") String name) {
			return QueueBuilder.durable(name + ".dead-letters").build();
		}

		@Bean
		Binding everything(Queue queue, @Value("${queue}") String name) {
			return BindingBuilder.bind(queue).to(new TopicExchange(name)).with("#");
		}

		@Bean
		TopicExchange exchange(@Value("${queue}") String name) {
			return new TopicExchange(name);
		}

	}

	abstract static class Listener {

		final List<Object> got = new CopyOnWriteArrayList<>();

		// A proxy has fields of its own
		List<Object> got() {
			return List.copyOf(this.got);
		}

	}

}
