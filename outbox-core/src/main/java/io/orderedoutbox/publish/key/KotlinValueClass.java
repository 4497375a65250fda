/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish.key;

import java.lang.reflect.Method;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ReflectionUtils;

/**
 * Kotlin's value classes. A property of such a type holds the content itself, and one
 * that may be null, or is generic, holds an object of the class: both are the same key.
 */
final class KotlinValueClass {

	// No method of Java has such a name
	private static final String UNBOX = "unbox-impl";

	private static final ClassValue<Optional<Method>> METHODS = new ClassValue<>() {

		@Override
		protected Optional<Method> computeValue(Class<?> type) {
			Method method = ReflectionUtils.findMethod(type, UNBOX);
			if (method != null) {
				ReflectionUtils.makeAccessible(method);
			}
			return Optional.ofNullable(method);
		}

	};

	private KotlinValueClass() {
	}

	/**
	 * Return what a value class holds, or the object itself if it is of another class.
	 */
	static @Nullable Object contentOf(Object object) {
		Optional<Method> unbox = METHODS.get(object.getClass());
		return unbox.isPresent() ? ReflectionUtils.invokeMethod(unbox.get(), object) : object;
	}

}
