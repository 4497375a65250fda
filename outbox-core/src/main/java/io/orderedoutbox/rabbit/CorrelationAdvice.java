/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.util.Arrays;

import io.orderedoutbox.Correlation;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;

/**
 * Around a listener: while it processes a message, the {@link Correlation} of that
 * message is open. The first message of a chain, which has none, begins one with its own
 * id. Messages that are received as a batch have none in common.
 */
public final class CorrelationAdvice implements MethodInterceptor {

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Correlation correlation = Arrays.stream(invocation.getArguments())
			.filter(Message.class::isInstance)
			.map(Message.class::cast)
			.findFirst()
			.map((message) -> of(message.getMessageProperties()))
			.orElse(null);
		if (correlation == null) {
			return invocation.proceed();
		}
		Correlation.Scope scope = correlation.open();
		try {
			return invocation.proceed();
		}
		finally {
			scope.close();
		}
	}

	static @Nullable Correlation of(MessageProperties properties) {
		Object header = properties.getHeaders().get(Correlation.CORRELATION_ID_HEADER);
		String messageId = properties.getMessageId();
		if (header != null && !header.toString().isBlank()) {
			return new Correlation(header.toString(), messageId);
		}
		return (messageId != null && !messageId.isBlank()) ? new Correlation(messageId, messageId) : null;
	}

}
