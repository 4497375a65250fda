/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import com.rabbitmq.client.Channel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of messages at a moment that cannot be met from outside: the container is
 * about to stop, and its dispatcher not yet closed.
 */
@Timeout(60)
class ShardDeliveryTests {

	private static final ShardListenerSettings SETTINGS = new ShardListenerSettings(1,
			ShardListenerSettings.Order.PARTITION, new CustomizableThreadFactory("test-"), Duration.ZERO,
			new ShardRetrySettings(Duration.ofHours(1), 1, Duration.ofHours(1), 1,
					ShardRetrySettings.Exhausted.DEAD_LETTER));

	private final KeyDispatcher dispatcher = new KeyDispatcher(1, SETTINGS.threads());

	private final List<String> begun = new CopyOnWriteArrayList<>();

	private final List<Object> acknowledged = new CopyOnWriteArrayList<>();

	private final CountDownLatch allAreHere = new CountDownLatch(1);

	private final Channel channel = (Channel) Proxy.newProxyInstance(Channel.class.getClassLoader(),
			new Class<?>[] { Channel.class }, (proxy, method, arguments) -> switch (method.getName()) {
				case "isOpen" -> true;
				case "basicAck" -> {
					this.acknowledged.add(arguments[0]);
					yield null;
				}
				case "hashCode" -> 1;
				default -> throw new UnsupportedOperationException(method.getName());
			});

	private final ShardChannel source = ShardChannel.of(this.channel, "billing.1.0", new ParkedKeys(null, "billing"));

	@AfterEach
	void close() {
		this.dispatcher.close();
	}

	@Test
	void nothingPassesAMessageThatHasFailedWhileItsContainerStops() throws InterruptedException {
		deliver(aboutToStop((message) -> {
			if (text(message).equals("m1")) {
				throw new IllegalStateException("The connection pool is closed");
			}
		}));
		assertThat(this.begun).containsExactly("m1");
		assertThat(this.acknowledged).isEmpty();
	}

	@Test
	void whatSucceedsWhileItsContainerStopsIsAcknowledged() throws InterruptedException {
		deliver(aboutToStop((message) -> {
		}));
		assertThat(this.begun).containsExactly("m1", "m2");
		assertThat(this.acknowledged).containsExactly(1L, 2L);
	}

	// On the only thread, so that the work of another key shows that m2 had its turn
	private void deliver(ShardListenerContainer container) throws InterruptedException {
		this.dispatcher.add("a", delivery(container, "m1", 1));
		this.dispatcher.add("a", delivery(container, "m2", 2));
		CountDownLatch over = new CountDownLatch(1);
		this.dispatcher.add("b", DispatchedStep.of(() -> this.dispatcher.add("c", DispatchedStep.of(over::countDown))));
		this.allAreHere.countDown();
		assertThat(over.await(20, TimeUnit.SECONDS)).isTrue();
	}

	// It is never started, so that it is not active
	private ShardListenerContainer aboutToStop(MessageListener listener) {
		ShardListenerContainer container = new ShardListenerContainer(SETTINGS, null);
		container.setMessageListener((MessageListener) (message) -> {
			this.begun.add(text(message));
			AbstractShardListenerTests.await(this.allAreHere);
			listener.onMessage(message);
		});
		ReflectionTestUtils.setField(container, "running", true);
		assertThat(container.isStopping()).isTrue();
		return container;
	}

	private ShardDelivery delivery(ShardListenerContainer container, String text, long deliveryTag) {
		MessageProperties properties = new MessageProperties();
		properties.setDeliveryTag(deliveryTag);
		properties.setMessageId("id-of-" + text);
		properties.setConsumerQueue(this.source.queue());
		properties.setReceivedRoutingKey("7");
		Message message = new Message(text.getBytes(StandardCharsets.UTF_8), properties);
		return new ShardDelivery(container, this.channel, this.source, message, container.orderingKeys(properties));
	}

	private static String text(Message message) {
		return new String(message.getBody(), StandardCharsets.UTF_8);
	}

}
