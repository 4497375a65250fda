/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.message;

import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.support.converter.MessageConversionException;
import org.springframework.util.StringUtils;

/**
 * The id of a message.
 */
public final class MessageId {

	private MessageId() {
	}

	/**
	 * Return the id of a message: its AMQP property, or else source and id of the
	 * CloudEvent that it is.
	 * @param message the message
	 * @return the id, {@code null} if the message has none
	 * @throws org.springframework.amqp.AmqpRejectAndDontRequeueException if only its body
	 * can say, and cannot be read
	 */
	public static @Nullable String of(Message message) {
		String id = message.getMessageProperties().getMessageId();
		if (StringUtils.hasLength(id)) {
			return id;
		}
		try {
			return ReceivedEvent.of(message).identity();
		}
		catch (MessageConversionException ex) {
			throw ListenerPayload.rejection(ListenerPayload.reason(message, ex));
		}
	}

}
