/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish.key;

import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.stream.Stream;

import io.orderedoutbox.OutboxPublicationException;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/**
 * How the value of one member of an event is read. The fields of a proxy are not those of
 * the event, so that a proxy is asked through what it overrides, or not at all.
 */
public final class KeyMember {

	private KeyMember() {
	}

	static KeyAccessor of(Class<?> type, Field field) {
		if (ProxiedEvent.isProxy(type)) {
			Method getter = getter(type, field.getName());
			return (getter != null) ? of(type, getter) : ofProxy(field);
		}
		return (event) -> {
			ReflectionUtils.makeAccessible(field);
			return ReflectionUtils.getField(field, event);
		};
	}

	static KeyAccessor of(Class<?> type, Method method) {
		if (ProxiedEvent.isProxy(type) && !isOverridden(type, method)) {
			return ofProxy(method);
		}
		return (event) -> {
			ReflectionUtils.makeAccessible(method);
			return ReflectionUtils.invokeMethod(method, event);
		};
	}

	/**
	 * Return the accessor for a property: its getter, or else its field; {@code null} if
	 * it has neither.
	 */
	static @Nullable KeyAccessor ofProperty(Class<?> type, String name) {
		Method getter = getter(type, name);
		if (getter != null) {
			return of(type, getter);
		}
		Field field = ReflectionUtils.findField(type, name);
		return (field != null) ? of(type, field) : null;
	}

	private static @Nullable Method getter(Class<?> type, String name) {
		return Stream.of(name, "get" + StringUtils.capitalize(name), "is" + StringUtils.capitalize(name))
			.map((candidate) -> ReflectionUtils.findMethod(type, candidate))
			.filter((method) -> method != null && isGetter(method))
			.findFirst()
			.orElse(null);
	}

	static boolean isGetter(Method method) {
		return method.getParameterCount() == 0 && method.getReturnType() != void.class && !method.isBridge();
	}

	/**
	 * Return the name of the property that a method reads.
	 * @param method a getter, or the accessor of a record
	 * @return the name, without {@code get} and {@code is}
	 */
	public static String propertyName(Method method) {
		return propertyName(method.getName());
	}

	static String propertyName(String getter) {
		boolean prefixed = getter.startsWith("get") && getter.length() > 3 && Character.isUpperCase(getter.charAt(3));
		return prefixed ? StringUtils.uncapitalizeAsProperty(getter.substring(3)) : getter;
	}

	// The methods that a proxy declares are its own, and may be final
	private static boolean isOverridden(Class<?> proxy, Method method) {
		return method.getDeclaringClass() == proxy
				|| !(Modifier.isFinal(method.getModifiers()) || Modifier.isPrivate(method.getModifiers()));
	}

	private static KeyAccessor ofProxy(Member member) {
		return (event) -> {
			throw new OutboxPublicationException(
					"the event is a proxy, and '%s' is read past the object behind it: put @PartitionKey on a public getter that is not final, or publish the object itself"
						.formatted(member.getName()));
		};
	}

}
