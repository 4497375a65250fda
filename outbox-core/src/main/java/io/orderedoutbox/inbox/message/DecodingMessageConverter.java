/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.message;

import io.orderedoutbox.payload.PayloadContext;
import io.orderedoutbox.payload.PayloadTransformers;
import io.orderedoutbox.payload.PayloadUnavailableException;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.support.converter.MessageConversionException;
import org.springframework.amqp.support.converter.MessageConverter;

/**
 * Undoes what transformers have done to the body of a message, which its AMQP property
 * {@code content_encoding} says, before another converter makes a payload of it. The
 * other converter does not see that property.
 * <p>
 * A message whose property says anything else is left to the other converter: producers
 * use it for a character set, too. A body that cannot be undone is rejected at once, as
 * {@link TypedMessageConverter} does. If it cannot be undone for now, because a storage
 * does not answer, that is an ordinary failure of the listener, which the container tries
 * again as it is set to.
 * <p>
 * A listener that takes the AMQP message itself gets it as it was sent.
 */
public final class DecodingMessageConverter implements MessageConverter {

	private final MessageConverter others;

	private final PayloadTransformers transformers;

	/**
	 * Create a converter.
	 * @param others makes payloads of what is decoded
	 * @param transformers undo what was done
	 */
	public DecodingMessageConverter(MessageConverter others, PayloadTransformers transformers) {
		this.others = others;
		this.transformers = transformers;
	}

	@Override
	public Object fromMessage(Message message) {
		String encodings = message.getMessageProperties().getContentEncoding();
		if (encodings == null || !this.transformers.know(encodings)) {
			return this.others.fromMessage(message);
		}
		return decoded(message, encodings);
	}

	private Object decoded(Message message, String encodings) {
		MessageProperties properties = message.getMessageProperties();
		byte[] body = body(message, encodings);
		// Another attempt gets the same properties, and the body as it was sent
		properties.setContentEncoding(null);
		try {
			return this.others.fromMessage(new Message(body, properties));
		}
		finally {
			properties.setContentEncoding(encodings);
		}
	}

	private byte[] body(Message message, String encodings) {
		MessageProperties properties = message.getMessageProperties();
		try {
			return this.transformers.decode(message.getBody(), encodings,
					new PayloadContext(text(properties.getMessageId()), text(properties.getType())));
		}
		catch (PayloadUnavailableException ex) {
			throw ex;
		}
		catch (IllegalArgumentException ex) {
			throw ListenerPayload.of(properties)
				.rejection(message, new MessageConversionException(
						"has a body that cannot be decoded (%s)".formatted(ex.getMessage()), ex));
		}
	}

	private static String text(@Nullable String property) {
		return (property != null) ? property : "";
	}

	@Override
	public Message toMessage(Object object, MessageProperties properties) {
		return this.others.toMessage(object, properties);
	}

}
