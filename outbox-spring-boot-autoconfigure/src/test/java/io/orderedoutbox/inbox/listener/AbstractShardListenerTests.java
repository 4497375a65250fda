/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import io.orderedoutbox.inbox.ProcessOnce;
import io.orderedoutbox.inbox.shard.ShardQueues;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.RequiresRabbitMq;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A listener of shards on a real RabbitMQ, what it processes, and what is sent to it.
 */
@RequiresRabbitMq
@Timeout(60)
abstract class AbstractShardListenerTests {

	static final int MANY = 20;

	static volatile Consumer<Message> work = (message) -> {
	};

	static final List<String> PROCESSED = new CopyOnWriteArrayList<>();

	private static final List<AssertionError> WRONG = new CopyOnWriteArrayList<>();

	static final ThreadLocal<Channel> CURRENT = new ThreadLocal<>();

	final Database database = Servers.database().fresh();

	final String name = "outbox-test-" + UUID.randomUUID();

	final ShardQueues shards = ShardQueues.of(this.name, this.name, 1);

	final String queue = this.shards.names()[0];

	Connection connection;

	Channel channel;

	OutboxApplication application;

	@BeforeEach
	void connect() throws Exception {
		work = (message) -> {
		};
		PROCESSED.clear();
		WRONG.clear();
		this.connection = TestQueue.connect("outbox-test");
		this.channel = this.connection.createChannel();
		this.channel.confirmSelect();
	}

	@AfterEach
	void delete() throws Exception {
		if (this.application != null) {
			this.application.close();
		}
		this.channel.queueDelete(this.queue);
		this.channel.queueDelete(this.shards.deadLetters());
		this.channel.queueDelete(this.shards.members());
		this.channel.exchangeDelete(this.shards.name() + "." + this.shards.count());
		this.channel.exchangeDelete(this.name);
		this.connection.close();
		assertThat(WRONG).isEmpty();
	}

	void start(OutboxApplication.Builder builder) {
		this.application = builder.start();
	}

	// Each new connection would declare the queue
	void startWithoutDeadLetters(OutboxApplication.Builder builder) throws Exception {
		start(builder);
		this.application.close();
		this.channel.queueDelete(this.shards.deadLetters());
		start(builder.with("outbox.rabbit.shards.declare", false));
	}

	QueueRetries retries() {
		return this.application.bean(ShardRetries.class).retries().get(0);
	}

	void publish(String key, String text) throws Exception {
		this.channel.basicPublish(this.name, "7",
				new BasicProperties.Builder().messageId("id-of-" + text)
					.type("order.placed")
					.deliveryMode(2)
					.headers(Map.of("x-partition-key", key))
					.build(),
				text.getBytes(StandardCharsets.UTF_8));
		this.channel.waitForConfirmsOrDie(10_000);
	}

	static void awaitProcessed(int count) {
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> PROCESSED.size() >= count);
	}

	// What is not acknowledged comes back when the consumer is gone
	void awaitEmpty() {
		Awaitility.await().until(() -> this.channel.messageCount(this.queue) == 0);
	}

	static List<String> processed(String key) {
		return PROCESSED.stream().filter((text) -> text.startsWith(key + "-")).toList();
	}

	static List<String> texts(String key, int first, int last) {
		return IntStream.rangeClosed(first, last).mapToObj((number) -> key + "-" + number).toList();
	}

	static String text(Message message) {
		return new String(message.getBody(), StandardCharsets.UTF_8);
	}

	static void meet(CountDownLatch latch) {
		latch.countDown();
		await(latch);
	}

	static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	List<MessageListenerContainer> containers() {
		return new ArrayList<>(this.application.bean(RabbitListenerEndpointRegistry.class).getListenerContainers());
	}

	OutboxApplication.Builder application() {
		return without().with(Listener.class);
	}

	OutboxApplication.Builder once() {
		return without().with("outbox.inbox.enabled", true)
			.with("outbox.inbox.initialize-schema", "always")
			.with(Once.class);
	}

	OutboxApplication.Builder without() {
		return OutboxApplication.on(this.database)
			.with("outbox.enabled", false)
			.with("outbox.rabbit.shards.exchange", this.name)
			.with("outbox.rabbit.shards.name", this.name)
			.with("outbox.rabbit.shards.count", 1)
			.with("outbox.rabbit.shards.order", "partition-key");
	}

	void assertDeadLetter(String text, String reason) throws Exception {
		GetResponse dead = this.channel.basicGet(this.shards.deadLetters(), true);
		assertThat(dead).isNotNull();
		assertThat(new String(dead.getBody(), StandardCharsets.UTF_8)).isEqualTo(text);
		assertThat(dead.getProps().getMessageId()).isEqualTo("id-of-" + text);
		assertThat(dead.getProps().getType()).isEqualTo("order.placed");
		assertThat(dead.getProps().getDeliveryMode()).isEqualTo(2);
		assertThat(dead.getProps().getHeaders())
			.extractingByKeys("x-partition-key", "x-exception-message", "x-original-exchange", "x-original-routingKey")
			.extracting(String::valueOf)
			.containsExactly("a", reason, this.name, "7");
	}

	static class Listener {

		@RabbitListener(queues = "#{@shardQueues.names()}", containerFactory = "shardListenerContainerFactory")
		void on(Message message, Channel current) {
			CURRENT.set(current);
			try {
				work.accept(message);
			}
			// As an error it would end the process
			catch (AssertionError ex) {
				WRONG.add(ex);
				throw new IllegalStateException(ex);
			}
			PROCESSED.add(text(message));
		}

	}

	static class Once {

		@ProcessOnce("billing")
		@RabbitListener(queues = "#{@shardQueues.names()}", containerFactory = "shardListenerContainerFactory",
				autoStartup = "false")
		public void on(Message message) {
			work.accept(message);
		}

	}

}
