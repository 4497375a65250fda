/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.broker;

import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.MessageProperties;
import io.orderedoutbox.benchmark.figure.Latencies;
import io.orderedoutbox.benchmark.load.Payloads;
import io.orderedoutbox.benchmark.load.Schedule;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.MessageDeliveryMode;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

/**
 * How fast messages like ours can be published without any outbox, on one channel, inside
 * {@link RabbitTemplate#invoke}.
 *
 * @param messages how many
 * @param payloads what is in them
 * @param queues declares a new queue for each measurement
 */
public record RawPublishing(int messages, Payloads payloads, Supplier<BenchQueue> queues) {

	private static final long PATIENCE = TimeUnit.SECONDS.toMillis(60);

	/**
	 * As an application would do it: messages of Spring AMQP, in waves of 1,000, of which
	 * each is confirmed before the next.
	 * @return messages a second
	 */
	public double byTemplate() {
		return measured((template, queue) -> template.invoke((operations) -> {
			for (int i = 0; i < this.messages; i++) {
				operations.send("", queue, message(i));
				if (i % 1_000 == 999 || i == this.messages - 1) {
					operations.waitForConfirmsOrDie(PATIENCE);
				}
			}
			return this.messages;
		}));
	}

	/**
	 * The same waves, by the client's own methods and with its own properties.
	 * @return messages a second
	 */
	public double byClient() {
		return measured((template, queue) -> template.invoke((operations) -> operations.execute((channel) -> {
			for (int i = 0; i < this.messages; i++) {
				channel.basicPublish("", queue, true, properties(), this.payloads.of(i));
				if (i % 1_000 == 999 || i == this.messages - 1) {
					waitForConfirms(channel);
				}
			}
			return this.messages;
		})));
	}

	/**
	 * One message at a time, each confirmed before the next.
	 * @return messages a second
	 */
	public double oneAtATime() {
		return measured((template, queue) -> template.invoke((operations) -> operations.execute((channel) -> {
			for (int i = 0; i < this.messages; i++) {
				channel.basicPublish("", queue, true, properties(), this.payloads.of(i));
				waitForConfirms(channel);
			}
			return this.messages;
		})));
	}

	/**
	 * One message at a time, at a given rate.
	 * @return how long each took from being published to its confirm
	 */
	public Latencies paced(int perSecond) {
		Latencies latencies = new Latencies();
		measured((template, queue) -> template.invoke((operations) -> operations.execute((channel) -> {
			Schedule schedule = new Schedule(perSecond);
			for (int i = 0; i < this.messages; i++) {
				schedule.await(i);
				long start = System.nanoTime();
				channel.basicPublish("", queue, true, properties(), this.payloads.of(i));
				waitForConfirms(channel);
				latencies.note(System.nanoTime() - start);
			}
			return this.messages;
		})));
		return latencies;
	}

	private static void waitForConfirms(com.rabbitmq.client.Channel channel) throws Exception {
		channel.waitForConfirmsOrDie(PATIENCE);
	}

	private double measured(Publishing publishing) {
		try (BenchQueue queue = this.queues.get()) {
			CachingConnectionFactory factory = queue.connectionFactory();
			try {
				RabbitTemplate template = new RabbitTemplate(factory);
				template.execute((channel) -> channel.isOpen());
				long start = System.nanoTime();
				publishing.by(template, queue.name());
				double rate = this.messages / ((System.nanoTime() - start) / 1e9);
				if (queue.depth() != this.messages) {
					throw new IllegalStateException("Not everything has arrived");
				}
				return rate;
			}
			finally {
				factory.destroy();
			}
		}
	}

	private Message message(int number) {
		String id = UUID.randomUUID().toString();
		return MessageBuilder.withBody(this.payloads.of(number))
			.setMessageId(id)
			.setType("benchmark.message")
			.setContentType("application/json")
			.setDeliveryMode(MessageDeliveryMode.PERSISTENT)
			.setHeader("x-message-id", id)
			.build();
	}

	private static AMQP.BasicProperties properties() {
		String id = UUID.randomUUID().toString();
		return MessageProperties.PERSISTENT_BASIC.builder()
			.messageId(id)
			.type("benchmark.message")
			.contentType("application/json")
			.headers(java.util.Map.of("x-message-id", id))
			.build();
	}

	@FunctionalInterface
	private interface Publishing {

		void by(RabbitTemplate template, String queue);

	}

}
