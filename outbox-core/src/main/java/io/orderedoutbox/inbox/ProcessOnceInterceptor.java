/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.Assert;

/**
 * Around a method with {@link ProcessOnce}: hands it what was not processed.
 */
final class ProcessOnceInterceptor implements MethodInterceptor {

	private final Supplier<Inbox> inbox;

	private final Supplier<WithoutId> withoutId;

	private final Supplier<List<InboxListener>> listeners;

	ProcessOnceInterceptor(Supplier<Inbox> inbox, Supplier<WithoutId> withoutId,
			Supplier<List<InboxListener>> listeners) {
		this.inbox = inbox;
		this.withoutId = withoutId;
		this.listeners = listeners;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		String consumer = consumerOf(invocation);
		if (consumer == null) {
			return invocation.proceed();
		}
		Delivery delivery = DeliveryScope.current();
		Assert.state(delivery != null, () -> """
				%s processes messages once, but was called without a message. Let the listener container call it: \
				its factory must be a bean, and hand over one message at a time. Elsewhere use the bean of type Inbox"""
			.formatted(invocation.getMethod()));
		Assert.state(delivery.isHandedTo(consumer),
				() -> "Consumer '%s' was called twice for one delivery. For each part of a message use the bean of type Inbox, with an id of its own"
					.formatted(consumer));
		String id = delivery.id();
		try {
			return (id != null) ? process(consumer, id, invocation) : processWithoutId(consumer, invocation);
		}
		catch (Throwable ex) {
			delivery.isTakenBack(consumer);
			throw ex;
		}
	}

	// A method that nothing listens with is called as always
	private static @Nullable String consumerOf(MethodInvocation invocation) {
		Object target = invocation.getThis();
		Class<?> type = (target != null) ? AopUtils.getTargetClass(target) : invocation.getMethod().getDeclaringClass();
		Method method = AopUtils.getMostSpecificMethod(invocation.getMethod(), type);
		ProcessOnce annotation = ProcessOnceMethods.annotationOf(method, type);
		return (annotation != null) ? annotation.value() : null;
	}

	private @Nullable Object process(String consumer, String id, MethodInvocation invocation) throws Throwable {
		Result result = new Result();
		boolean processed;
		try {
			processed = this.inbox.get().process(consumer, id, () -> {
				result.value = again(invocation).proceed();
				requireDone(result.value, invocation);
			});
		}
		catch (Throwable ex) {
			tellOfFailure(consumer, ex);
			throw ex;
		}
		tell(consumer, processed ? InboxOutcome.PROCESSED : InboxOutcome.DUPLICATE);
		// A result may be there of an attempt that was rolled back
		return processed ? result.value : null;
	}

	// A declared type may hide it
	private static void requireDone(@Nullable Object result, MethodInvocation invocation) {
		Assert.state(result == null || !ProcessOnceMethods.isAsynchronous(result.getClass()),
				() -> "%s processes messages once, but its work would go on after its transaction: let it return when its work is done"
					.formatted(invocation.getMethod()));
	}

	// An invocation goes through its other interceptors once only, and this may be the
	// second attempt
	private static MethodInvocation again(MethodInvocation invocation) {
		return (invocation instanceof ProxyMethodInvocation proxied) ? proxied.invocableClone() : invocation;
	}

	private @Nullable Object processWithoutId(String consumer, MethodInvocation invocation) throws Throwable {
		if (this.withoutId.get() == WithoutId.PROCESS) {
			return invocation.proceed();
		}
		tell(consumer, InboxOutcome.REJECTED);
		throw new AmqpRejectAndDontRequeueException(
				"A message for consumer '%s' has no message_id, and is no CloudEvent with source and id, so that it cannot be processed once. Set outbox.inbox.without-id=process to process such messages each time that they are delivered"
					.formatted(consumer));
	}

	// What the container does next depends on why the work has failed
	private void tellOfFailure(String consumer, Throwable failure) {
		try {
			tell(consumer, InboxOutcome.FAILED);
		}
		catch (RuntimeException ex) {
			failure.addSuppressed(ex);
		}
	}

	private void tell(String consumer, InboxOutcome outcome) {
		this.listeners.get().forEach((listener) -> listener.delivered(consumer, outcome));
	}

	private static final class Result {

		private @Nullable Object value;

	}

}
