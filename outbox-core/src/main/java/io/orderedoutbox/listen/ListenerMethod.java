/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.listen;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;

import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ReactiveAdapterRegistry;

/**
 * A method with {@link OutboxListener}.
 *
 * @param bean whose method it is
 * @param method the method, which the class of the bean has, a proxy included
 * @param payload the type of its first parameter
 */
record ListenerMethod(Object bean, Method method, Type payload) {

	/**
	 * Hand it a message.
	 * @throws IllegalStateException if it has returned before its work is done
	 * @throws Throwable what the method throws, or what is thrown while the payload is
	 * read
	 */
	void take(StoredMessage message, PayloadReader reader) throws Throwable {
		Object first = payload(message.message().payload(), reader);
		try {
			requireDone((this.method.getParameterCount() == 1) ? this.method.invoke(this.bean, first)
					: this.method.invoke(this.bean, first, ReceivedMessage.of(message)));
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

	// A declared type may hide it
	private static void requireDone(@Nullable Object result) {
		if (result != null && isAsynchronous(result.getClass())) {
			throw new IllegalStateException(
					"it has returned a %s before its work is done: let it do its work before it returns"
						.formatted(result.getClass().getName()));
		}
	}

	/**
	 * Whether a result of this type is there before the work is done. The inbox has the
	 * same rule: neither of the two knows the other.
	 */
	static boolean isAsynchronous(Class<?> result) {
		return Future.class.isAssignableFrom(result) || CompletionStage.class.isAssignableFrom(result)
				|| Flow.Publisher.class.isAssignableFrom(result)
				|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(result) != null;
	}

	private Object payload(byte[] payload, PayloadReader reader) {
		if (this.payload == byte[].class) {
			return payload.clone();
		}
		return (this.payload == String.class) ? new String(payload, StandardCharsets.UTF_8)
				: reader.read(payload, this.payload);
	}

	@Override
	public String toString() {
		return this.method.getDeclaringClass().getSimpleName() + "." + this.method.getName();
	}

}
