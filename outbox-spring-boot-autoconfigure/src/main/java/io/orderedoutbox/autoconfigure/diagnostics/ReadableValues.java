/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.diagnostics;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;

/**
 * What can be written where a property has a type, in words.
 */
final class ReadableValues {

	private static final Map<Class<?>, String> WORDS = Map.of(Boolean.class, "true or false", Integer.class,
			"a whole number", Long.class, "a whole number", Double.class, "a number, such as 0.5", Duration.class,
			"a duration, such as 250ms, 5s or 7d", DataSize.class, "a size, such as 400KB or 16MB", Class.class,
			"the full name of a class that is on the class path, such as com.example.shop.OrderPlaced");

	private ReadableValues() {
	}

	/**
	 * Return the words for a type, or {@code null} if there are none.
	 */
	static @Nullable String of(ResolvableType type) {
		Class<?> wanted = ClassUtils.resolvePrimitiveIfNecessary(type.resolve(Object.class));
		Object[] constants = wanted.getEnumConstants();
		return (constants != null) ? anyOf(constants) : WORDS.get(wanted);
	}

	private static String anyOf(Object[] constants) {
		String all = Stream.of(constants)
			.map((constant) -> ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-'))
			.collect(Collectors.joining(", "));
		return all.replaceFirst(", (?=[^,]*$)", " or ");
	}

}
