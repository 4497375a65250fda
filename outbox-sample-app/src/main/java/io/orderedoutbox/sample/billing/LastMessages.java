/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.billing;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageDeliveryMode;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.core.MessagePropertiesBuilder;
import org.springframework.amqp.rabbit.core.RabbitOperations;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.stereotype.Component;

/**
 * Remembers the last messages that this instance has billed, and publishes them again
 * with the same ids. That is what a relay does which was killed when the broker had a
 * message, and the outbox did not know it yet.
 */
@Component
class LastMessages {

	private static final int KEPT = 10;

	private final Deque<Message> messages = new ArrayDeque<>();

	private final RabbitTemplate rabbit;

	LastMessages(RabbitTemplate rabbit) {
		this.rabbit = rabbit;
	}

	synchronized void add(Message message) {
		this.messages.add(message);
		while (this.messages.size() > KEPT) {
			this.messages.remove();
		}
	}

	/**
	 * Publish them again, in their order.
	 * @return how many there were
	 */
	int publishAgain() {
		List<Message> again = all();
		// One channel, which keeps the order
		this.rabbit.invoke((channel) -> {
			again.forEach((message) -> send(channel, message));
			return true;
		});
		return again.size();
	}

	private synchronized List<Message> all() {
		return List.copyOf(this.messages);
	}

	private static void send(RabbitOperations channel, Message message) {
		MessageProperties properties = message.getMessageProperties();
		channel.send(Objects.requireNonNull(properties.getReceivedExchange()),
				Objects.requireNonNull(properties.getReceivedRoutingKey()), copyOf(message));
	}

	private static Message copyOf(Message message) {
		return new Message(message.getBody(),
				MessagePropertiesBuilder.fromClonedProperties(message.getMessageProperties())
					.setDeliveryMode(MessageDeliveryMode.PERSISTENT)
					.build());
	}

}
