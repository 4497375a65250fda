/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

import java.util.Arrays;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;

/**
 * Around a listener: while it processes a message, the delivery is known on the thread.
 */
public final class DeliveryScope implements MethodInterceptor {

	private static final ThreadLocal<@Nullable Delivery> CURRENT = new ThreadLocal<>();

	private static final ThreadLocal<@Nullable Delivery> LATEST = new ThreadLocal<>();

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Delivery before = CURRENT.get();
		Delivery delivery = Arrays.stream(invocation.getArguments())
			.filter(Message.class::isInstance)
			.map((message) -> new Delivery((Message) message, LATEST.get()))
			.findFirst()
			.orElse(null);
		set(CURRENT, delivery);
		try {
			return invocation.proceed();
		}
		finally {
			set(CURRENT, before);
			set(LATEST, delivery);
		}
	}

	private static void set(ThreadLocal<@Nullable Delivery> holder, @Nullable Delivery delivery) {
		if (delivery != null) {
			holder.set(delivery);
		}
		else {
			holder.remove();
		}
	}

	/**
	 * The next delivery on this thread is not a part of the same batch as the last one.
	 */
	public static void forget() {
		LATEST.remove();
	}

	static @Nullable Delivery current() {
		return CURRENT.get();
	}

}
