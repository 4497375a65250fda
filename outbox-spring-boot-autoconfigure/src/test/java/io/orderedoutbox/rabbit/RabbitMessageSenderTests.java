/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import com.rabbitmq.client.Channel;
import io.orderedoutbox.Destination;
import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.send.ChannelRefusedException;
import io.orderedoutbox.send.TransportException;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;
import io.orderedoutbox.testing.TestQueue;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory.ConfirmType;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Channels that cannot say what became of a message are not used.
 */
class RabbitMessageSenderTests {

	private static final WireFormat FORMAT = new WireFormat(OptionalHeaders.NONE, (message) -> 0);

	@Test
	void refusesAConnectionFactoryWithoutConfirms() {
		refuses(factory(ConfirmType.NONE, false));
	}

	@Test
	void refusesAConnectionFactoryWithCorrelatedConfirms() {
		refuses(factory(ConfirmType.CORRELATED, false));
	}

	@Test
	void refusesAConnectionFactoryWithReturnsOfItsOwn() {
		refuses(factory(ConfirmType.SIMPLE, true));
	}

	private static void refuses(CachingConnectionFactory factory) {
		RabbitTemplate template = new RabbitTemplate(factory);
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> new RabbitMessageSender(template, FORMAT))
			.withMessageContaining("setPublisherConfirmType(ConfirmType.SIMPLE)");
		factory.destroy();
	}

	@Test
	void refusesAChannelThatIsNotInConfirmMode() throws IOException {
		try (TestQueue queue = TestQueue.forEverything()) {
			Channel channel = queue.channel().getConnection().createChannel();
			assertThatExceptionOfType(TransportException.class)
				.isThrownBy(() -> new RabbitSendingChannel(channel, new RabbitSockets(), FORMAT).close())
				.withMessageContaining("confirm mode");
			channel.confirmSelect();
			new RabbitSendingChannel(channel, new RabbitSockets(), FORMAT).close();
		}
	}

	@Test
	void refusesAChannelThatIsClosed() throws Exception {
		try (TestQueue queue = TestQueue.forEverything()) {
			Channel channel = queue.channel().getConnection().createChannel();
			channel.confirmSelect();
			channel.close();
			assertThatExceptionOfType(TransportException.class)
				.isThrownBy(() -> new RabbitSendingChannel(channel, new RabbitSockets(), FORMAT).close());
		}
	}

	@Test
	void aChannelWhoseClientFailedInTheMiddleOfAMessageIsUsedNoMore() throws IOException {
		try (TestQueue queue = TestQueue.forEverything()) {
			Channel channel = queue.channel().getConnection().createChannel();
			channel.confirmSelect();
			Channel broken = (Channel) Proxy.newProxyInstance(getClass().getClassLoader(),
					new Class<?>[] { Channel.class }, (proxy, method, arguments) -> {
						if (method.getName().equals("basicPublish")) {
							throw new OutOfReachError();
						}
						return method.invoke(channel, arguments);
					});
			StoredMessage message = new StoredMessage(1, new Message(new UUID(0, 1), "order.placed", "",
					new Destination(queue.exchange(), "key"), "text/plain", new byte[0], Map.of()), Instant.EPOCH, 0,
					null);
			try (RabbitSendingChannel sending = new RabbitSendingChannel(broken, new RabbitSockets(), FORMAT)) {
				assertThatExceptionOfType(ChannelRefusedException.class).isThrownBy(() -> sending.send(message))
					.withMessageContaining("OutOfReachError");
				assertThat(sending.isIdle()).isFalse();
			}
		}
	}

	private static CachingConnectionFactory factory(ConfirmType type, boolean returns) {
		CachingConnectionFactory factory = new CachingConnectionFactory();
		factory.setPublisherConfirmType(type);
		factory.setPublisherReturns(returns);
		return factory;
	}

	private static final class OutOfReachError extends Error {

		private static final long serialVersionUID = 1L;

	}

}
