/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.message;

import io.cloudevents.CloudEvent;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.support.converter.MessageConversionException;
import org.springframework.amqp.support.converter.MessageConverter;

/**
 * Makes a {@link CloudEvent} of a message for a listener whose payload is one, and leaves
 * all else to another converter. The library of CloudEvents must be on the class path.
 * <p>
 * The event has what the message says in its headers or, if its {@code content_type}
 * begins with {@code application/cloudevents}, in its body. Its AMQP properties are not
 * asked. A message that is no valid CloudEvent is rejected at once, as
 * {@link TypedMessageConverter} does.
 */
public final class CloudEventMessageConverter implements MessageConverter {

	private final MessageConverter others;

	/**
	 * Create a converter.
	 * @param others converts all else
	 */
	public CloudEventMessageConverter(MessageConverter others) {
		this.others = others;
	}

	@Override
	public Object fromMessage(Message message) {
		ListenerPayload wanted = ListenerPayload.of(message.getMessageProperties());
		if (wanted.type() != CloudEvent.class) {
			return this.others.fromMessage(message);
		}
		try {
			return CloudEventReader.read(message);
		}
		catch (MessageConversionException ex) {
			throw wanted.rejection(message, ex);
		}
	}

	@Override
	public Message toMessage(Object object, MessageProperties properties) {
		return this.others.toMessage(object, properties);
	}

}
