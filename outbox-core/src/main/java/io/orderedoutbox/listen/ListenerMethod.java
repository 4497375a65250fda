/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.listen;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;

import io.orderedoutbox.store.StoredMessage;

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
	 * @throws Throwable what the method throws, or what is thrown while the payload is
	 * read
	 */
	void take(StoredMessage message, PayloadReader reader) throws Throwable {
		Object first = payload(message.message().payload(), reader);
		try {
			if (this.method.getParameterCount() == 1) {
				this.method.invoke(this.bean, first);
			}
			else {
				this.method.invoke(this.bean, first, ReceivedMessage.of(message));
			}
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
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
