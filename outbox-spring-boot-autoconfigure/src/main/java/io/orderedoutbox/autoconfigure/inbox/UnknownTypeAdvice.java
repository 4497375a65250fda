/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.inbox;

import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.amqp.core.Message;
import org.springframework.messaging.converter.MessageConversionException;

/**
 * Around listeners where payloads are not made by the names of messages: says once for
 * each queue which properties are missing, if a listener takes an object and is given the
 * bytes of a message with a type. What Spring says of it, and does with the message,
 * stays as it is.
 */
final class UnknownTypeAdvice implements MethodInterceptor {

	private static final Logger logger = LoggerFactory.getLogger(UnknownTypeAdvice.class);

	private final Set<String> told = ConcurrentHashMap.newKeySet();

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		try {
			return invocation.proceed();
		}
		catch (Exception ex) {
			if (isOfBytes(ex)) {
				Arrays.stream(invocation.getArguments())
					.filter(Message.class::isInstance)
					.map(Message.class::cast)
					.findFirst()
					.ifPresent(this::tell);
			}
			throw ex;
		}
	}

	// With a converter of the application the payload would not have stayed bytes
	private static boolean isOfBytes(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof MessageConversionException conversion) {
				return conversion.getFailedMessage() != null
						&& conversion.getFailedMessage().getPayload() instanceof byte[];
			}
			// So Spring says that a listener with several methods has none for them
			if (cause instanceof NoSuchMethodException && cause.getMessage() != null
					&& cause.getMessage().endsWith(" for " + byte[].class)) {
				return true;
			}
		}
		return false;
	}

	private void tell(Message message) {
		String queue = String.valueOf(message.getMessageProperties().getConsumerQueue());
		if (message.getMessageProperties().getType() != null && this.told.add(queue)) {
			Type wanted = message.getMessageProperties().getInferredArgumentType();
			logger.atWarn()
				.addKeyValue("queue", queue)
				.log("The listener of the queue '{}' takes {}, but got the bytes of the message: nothing says which class its type stands for. If it was sent by an outbox, set outbox.inbox.type-packages to the package of the classes with @OutboxMessage, or name their classes in outbox.inbox.types",
						queue, (wanted != null) ? wanted.getTypeName() : "objects");
		}
	}

}
