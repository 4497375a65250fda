/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.monitor;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.orderedoutbox.inbox.ProcessOnce;
import io.orderedoutbox.inbox.listener.QueueRetries;
import io.orderedoutbox.inbox.listener.ShardRetries;
import io.orderedoutbox.inbox.shard.ShardQueues;
import io.orderedoutbox.monitor.console.WebClient;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * An application without an outbox that consumes two queues of shards, and the broker
 * that it consumes from.
 */
public final class ShardedConsumer implements AutoCloseable {

	private final Database database = Servers.database().fresh();

	private final String name = "outbox-test-" + UUID.randomUUID();

	private final ShardQueues shards = ShardQueues.of(this.name, this.name, 2);

	private final Connection connection = TestQueue.connect("outbox-test");

	private final Channel channel;

	public ShardedConsumer() throws IOException {
		this.channel = this.connection.createChannel();
		this.channel.confirmSelect();
	}

	/**
	 * The name of the shards.
	 */
	public String name() {
		return this.name;
	}

	/**
	 * How many messages are in the queue of dead letters.
	 */
	public long deadLetters() throws IOException {
		return this.channel.messageCount(this.shards.deadLetters());
	}

	/**
	 * Do as another instance that replays.
	 */
	void lockReplay() throws IOException {
		this.channel.queueDeclare(this.shards.deadLetters() + ".replay", false, true, true, Map.of());
	}

	void unlockReplay() throws IOException {
		this.channel.queueDelete(this.shards.deadLetters() + ".replay");
	}

	/**
	 * The names of the queues.
	 */
	public List<String> queues() {
		return List.of(this.shards.names());
	}

	/**
	 * An application with a web server that looks at the queues once a second.
	 */
	public OutboxApplication.Builder application() {
		return withoutInboxAndShards().with("outbox.inbox.enabled", true)
			.with("outbox.inbox.initialize-schema", "always")
			.with("outbox.rabbit.shards.name", this.name)
			.with("outbox.rabbit.shards.count", 2);
	}

	/**
	 * The same without an inbox, and with the queues as a bean alone.
	 */
	public OutboxApplication.Builder applicationWithABean() {
		return withoutInboxAndShards().with(Queues.class);
	}

	private OutboxApplication.Builder withoutInboxAndShards() {
		return WebClient.served(OutboxApplication.on(this.database))
			.with("outbox.enabled", false)
			.with("outbox.rabbit.shards.exchange", this.name)
			.with("outbox.monitor.sample-interval", "1s")
			.with("management.endpoints.web.exposure.include", "*")
			.with("management.endpoint.health.show-details", "always");
	}

	/**
	 * Publish a message to a partition.
	 */
	public void publish(int partition, String messageId, String text) throws Exception {
		this.channel.basicPublish(this.name, String.valueOf(partition),
				new AMQP.BasicProperties.Builder().messageId(messageId).contentType("text/plain").build(),
				text.getBytes(UTF_8));
		this.channel.waitForConfirmsOrDie();
	}

	public void delete(String queue) throws IOException {
		this.channel.queueDelete(queue);
	}

	@Override
	public void close() throws IOException {
		for (String queue : this.shards.names()) {
			this.channel.queueDelete(queue);
		}
		this.channel.queueDelete(this.shards.deadLetters());
		this.channel.exchangeDelete(this.name + ".2");
		this.channel.exchangeDelete(this.name);
		this.connection.close();
	}

	/**
	 * Fails when a message says so, once.
	 */
	public static class Listener {

		private boolean failed;

		@ProcessOnce("billing")
		@RabbitListener(queues = "#{@shardQueues.names()}", containerFactory = "shardListenerContainerFactory")
		public void on(String text) {
			if (text.equals("fail") && !this.failed) {
				this.failed = true;
				throw new IllegalStateException("It was told to fail");
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Queues {

		@Bean
		ShardQueues queuesOfTheTest(@Value("${outbox.rabbit.shards.exchange}") String name) {
			return ShardQueues.of(name, name, 2);
		}

	}

	/**
	 * Tells what a container that retries would.
	 */
	@Configuration(proxyBeanMethods = false)
	public static class Retrying {

		@Bean
		ShardRetries retriesOfTheTest(ShardQueues shards) {
			return () -> List.of(new QueueRetries(shards.names()[0], 2, 5, 7, 1));
		}

		@Bean
		ShardRetries moreRetriesOfTheTest(ShardQueues shards) {
			return () -> List.of(new QueueRetries(shards.names()[0], 1, 1, 1, 1));
		}

	}

}
