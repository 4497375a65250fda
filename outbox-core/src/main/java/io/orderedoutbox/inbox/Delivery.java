/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

import io.orderedoutbox.inbox.message.MessageId;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;

/**
 * A message that is being delivered to a listener.
 */
final class Delivery {

	private final Message message;

	private final MessageProperties properties;

	private final int part;

	private final Set<String> consumers = new HashSet<>();

	/**
	 * Create a delivery.
	 * @param message the message
	 * @param before what the thread has delivered before: the container takes a batch of
	 * a producer apart, and delivers its parts one after the other under one tag and one
	 * message id
	 */
	Delivery(Message message, @Nullable Delivery before) {
		this.message = message;
		this.properties = message.getMessageProperties();
		this.part = (before != null && isNextPartAfter(before)) ? before.part + 1 : 0;
	}

	// Tags alone do not say so: another channel may use them again. But the parts of a
	// batch share their properties, except for the last one
	@SuppressWarnings("ReferenceEquality")
	private boolean isNextPartAfter(Delivery before) {
		return Objects.equals(before.properties.getConsumerTag(), this.properties.getConsumerTag())
				&& before.properties.getDeliveryTag() == this.properties.getDeliveryTag()
				&& !before.properties.isLastInBatch()
				&& (before.properties == this.properties || this.properties.isLastInBatch());
	}

	/**
	 * Return the id of the message: its AMQP property, or else source and id of the
	 * CloudEvent that it is; {@code null} if it has none. That of a part after the first
	 * one of a batch has the number of the part at its end.
	 * @throws org.springframework.amqp.AmqpRejectAndDontRequeueException if only its body
	 * can say, and cannot be read
	 */
	@Nullable String id() {
		String id = MessageId.of(this.message);
		return (id != null && this.part > 0) ? id + "#" + this.part : id;
	}

	/**
	 * A consumer has failed with the message: it may be handed to it again.
	 */
	void isTakenBack(String consumer) {
		this.consumers.remove(consumer);
	}

	/**
	 * The message is handed to a consumer.
	 * @return whether it was not before, during this delivery
	 */
	boolean isHandedTo(String consumer) {
		return this.consumers.add(consumer);
	}

}
