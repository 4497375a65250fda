/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.message;

import java.lang.reflect.Type;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.support.converter.MessageConversionException;
import org.springframework.amqp.support.converter.MessageConverter;
import org.springframework.amqp.support.converter.SimpleMessageConverter;
import org.springframework.util.StringUtils;

/**
 * Makes the payload of a listener from a message with JSON. The name of the message,
 * which is its AMQP property {@code type}, or the attribute {@code type} of a CloudEvent
 * without that property, says of which class the payload is. No class is ever looked for
 * by a name that a message carries, in a header or elsewhere.
 * <ol>
 * <li>If the listener takes the body as it is, or has several methods and the message is
 * text: hand it on as Spring does by default. Neither name nor JSON is looked at.</li>
 * <li>Find the class that the name stands for. Several names may stand for the same
 * class.</li>
 * <li>If the listener has a parameter: the class must fit it.</li>
 * <li>Read the JSON. Fields that the class does not have are ignored.</li>
 * </ol>
 * A message without a name, or with one that stands for nothing, one that does not fit
 * and one that is not JSON is refused with an
 * {@link org.springframework.amqp.AmqpRejectAndDontRequeueException}, whose cause says
 * why. So a container rejects the message at once, whatever error handler it has, and the
 * broker hands it to the dead letter exchange of its queue. A
 * {@link MessageConversionException} alone would have Spring drop a message that has been
 * a dead letter before, so that it is lost, and stop a container whose error handler does
 * not know it. It is thrown for a message of a batch, of which Spring rejects only that
 * message then.
 * <p>
 * What a listener answers is written as Spring does by default. Not guaranteed: that a
 * message of which a field is missing is refused. That is up to Jackson and the class.
 */
public final class TypedMessageConverter implements MessageConverter {

	private final SimpleMessageConverter ordinary = new SimpleMessageConverter();

	private final Map<String, Class<?>> types;

	private final JsonMapper mapper;

	/**
	 * Create a converter.
	 * @param types the classes of payloads, by the names of messages
	 * @param mapper reads them, except that it ignores fields that a class does not have
	 */
	public TypedMessageConverter(Map<String, Class<?>> types, JsonMapper mapper) {
		this.types = Map.copyOf(types);
		this.mapper = mapper.rebuild().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();
	}

	@Override
	public Object fromMessage(Message message) {
		MessageProperties properties = message.getMessageProperties();
		ListenerPayload wanted = ListenerPayload.of(properties);
		boolean isText = properties.getContentType().startsWith("text");
		if (wanted.isBody() || (wanted.type() == null && isText)) {
			// Not the ordinary converter: it would look for the class of a Java object
			return (isText && wanted.type() != byte[].class) ? this.ordinary.fromMessage(message) : message.getBody();
		}
		try {
			return read(message, wanted.type());
		}
		catch (MessageConversionException ex) {
			throw wanted.rejection(message, withEncoding(ex, properties.getContentEncoding()));
		}
	}

	// It may be the reason. Producers use it for a character set, too
	private static MessageConversionException withEncoding(MessageConversionException ex, @Nullable String encoding) {
		if (encoding == null || encoding.toLowerCase(Locale.ROOT).startsWith("utf")) {
			return ex;
		}
		MessageConversionException reason = new MessageConversionException(
				"%s; its content_encoding is '%s', which no PayloadTransformer here undoes".formatted(ex.getMessage(),
						encoding));
		reason.initCause(ex.getCause());
		return reason;
	}

	private Object read(Message message, @Nullable Type parameter) {
		MessageProperties properties = message.getMessageProperties();
		String name = properties.getType();
		if (StringUtils.hasLength(name) && !ReceivedEvent.isStructured(properties)) {
			return read(message.getBody(), typeOf(name, parameter));
		}
		ReceivedEvent event = ReceivedEvent.of(message);
		return read(event.data(), typeOf(StringUtils.hasLength(name) ? name : event.requireType(), parameter));
	}

	private Object read(byte[] body, JavaType type) {
		Object payload;
		try {
			payload = this.mapper.readValue(body, type);
		}
		// Deserializers of the application throw what they like
		catch (RuntimeException ex) {
			String why = (ex instanceof JacksonException failure) ? failure.getOriginalMessage() : ex.toString();
			throw new MessageConversionException("is no %s in JSON (%s)".formatted(type.getRawClass().getName(), why),
					ex);
		}
		if (payload == null) {
			throw new MessageConversionException("is null in JSON");
		}
		return payload;
	}

	private JavaType typeOf(String name, @Nullable Type parameter) {
		Class<?> type = this.types.get(name);
		if (type == null) {
			throw new MessageConversionException(
					"has a type that stands for no class: annotate a class with it as @OutboxMessage in a package of outbox.inbox.type-packages, or add it to outbox.inbox.types");
		}
		JavaType wanted = this.mapper.constructType((parameter != null) ? parameter : type);
		if (!wanted.getRawClass().isAssignableFrom(type)) {
			throw new MessageConversionException(
					"is of %s, but the listener takes %s".formatted(type, wanted.getRawClass()));
		}
		// What the class is made of, such as the T in Changed<T>, only the parameter says
		return (wanted.getRawClass() == type) ? wanted : this.mapper.constructType(type);
	}

	@Override
	public Message toMessage(Object object, MessageProperties properties) {
		return this.ordinary.toMessage(object, properties);
	}

}
