/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.message;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;

import com.rabbitmq.client.Channel;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.core.AmqpAcknowledgment;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.support.converter.MessageConversionException;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;

/**
 * What the listener that a message is delivered to takes as its payload.
 *
 * @param type the type of the payload, null if the listener has no single one: if it has
 * several methods, or several parameters of which each could be the payload
 * @param isBody whether it takes the body as it is
 * @param isBatch whether it takes a list of payloads
 */
record ListenerPayload(@Nullable Type type, boolean isBody, boolean isBatch) {

	private static final Set<Class<?>> NO_PAYLOADS = Set.of(Message.class, MessageProperties.class,
			AmqpAcknowledgment.class, Channel.class, org.springframework.messaging.Message.class, MessageHeaders.class);

	// Kotlin adds it to a function that suspends
	private static final String CONTINUATION = "kotlin.coroutines.Continuation";

	static ListenerPayload of(MessageProperties properties) {
		Type type = properties.getInferredArgumentType();
		// With a listener that has several methods, there is one after the first attempt
		Method method = properties.getTargetMethod();
		Parameter[] parameters = (method != null) ? method.getParameters() : new Parameter[0];
		if (type == null) {
			return new ListenerPayload(null,
					method != null && Arrays.stream(parameters).noneMatch(ListenerPayload::isPayload), false);
		}
		// That of one element
		boolean isBatch = !isList(ResolvableType.forType(type).toClass())
				&& Arrays.stream(parameters).map(Parameter::getType).anyMatch(ListenerPayload::isList);
		return new ListenerPayload(type,
				type == String.class || type == byte[].class || takesAnything(type, parameters), isBatch);
	}

	// Spring gives the AMQP message to a parameter of this type
	private static boolean takesAnything(Type type, Parameter[] parameters) {
		return type == Object.class && Arrays.stream(parameters).anyMatch((parameter) -> parameter.getType() == type);
	}

	private static boolean isList(Class<?> type) {
		return type == List.class || type == Collection.class;
	}

	private static boolean isPayload(Parameter parameter) {
		return !NO_PAYLOADS.contains(parameter.getType()) && !parameter.getType().getName().equals(CONTINUATION)
				&& !AnnotatedElementUtils.hasAnnotation(parameter, Header.class)
				&& !AnnotatedElementUtils.hasAnnotation(parameter, Headers.class);
	}

	/**
	 * Return the exception that has a message rejected at once, and of a batch only that
	 * message.
	 * @param message the message
	 * @param why what is wrong with it
	 */
	RuntimeException rejection(Message message, MessageConversionException why) {
		MessageConversionException reason = reason(message, why);
		return this.isBatch ? reason : rejection(reason);
	}

	/** Return the same for whom there is no batch. */
	static RuntimeException rejection(MessageConversionException reason) {
		return new AmqpRejectAndDontRequeueException("The message is rejected, and not delivered again", true, reason);
	}

	static MessageConversionException reason(Message message, MessageConversionException why) {
		MessageProperties properties = message.getMessageProperties();
		String id = properties.getMessageId();
		String type = properties.getType();
		MessageConversionException reason = new MessageConversionException(
				"The message '%s' with the type '%s' from the queue '%s' %s.".formatted(
						printable((id != null) ? id : ReceivedEvent.attribute(properties, "id")),
						printable((type != null) ? type : ReceivedEvent.attribute(properties, "type")),
						printable(properties.getConsumerQueue()), printable(why.getMessage())));
		reason.initCause(why.getCause());
		return reason;
	}

	// Who sends a message must not be able to write lines into the log
	private static String printable(@Nullable String text) {
		return (text != null) ? text.replaceAll("\\p{Cntrl}", "?") : "";
	}

}
