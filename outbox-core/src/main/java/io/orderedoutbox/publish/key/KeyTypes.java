/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish.key;

import java.lang.ref.Reference;
import java.lang.reflect.RecordComponent;
import java.nio.Buffer;
import java.nio.CharBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.BaseStream;
import java.util.stream.Stream;

import org.springframework.util.ClassUtils;

/**
 * Which types can be a partition key: those that have a {@code toString()} of their own,
 * and are no container, no function and no proxy.
 */
final class KeyTypes {

	private static final List<Class<?>> NO_KEYS = List.of(Collection.class, Map.class, BaseStream.class, Iterator.class,
			Enumeration.class, Callable.class, Runnable.class, Future.class, CompletionStage.class,
			Flow.Publisher.class, Reference.class, Buffer.class, AtomicIntegerArray.class, AtomicLongArray.class,
			AtomicReferenceArray.class);

	private static final String FUNCTIONS = "java.util.function";

	// By name: they need not be there
	private static final Set<String> NO_KEYS_OF_OTHERS = Set.of("org.reactivestreams.Publisher",
			"com.google.common.base.Optional", "io.vavr.Value", "scala.Option", "arrow.core.Option", "kotlin.Function",
			"kotlin.Lazy", "org.openapitools.jackson.nullable.JsonNullable");

	private static final ClassValue<Boolean> ANSWERS = new ClassValue<>() {

		@Override
		protected Boolean computeValue(Class<?> type) {
			return isKey(type);
		}

	};

	private KeyTypes() {
	}

	static boolean contain(Class<?> type) {
		return ANSWERS.get(type);
	}

	private static boolean isKey(Class<?> type) {
		if (Enum.class.isAssignableFrom(type) || CharBuffer.class.isAssignableFrom(type)) {
			return true;
		}
		// Object.toString() differs between two instances of one identity
		boolean hasText = !type.isArray() && ClassUtils.getMethod(type, "toString").getDeclaringClass() != Object.class;
		return hasText && !ProxiedEvent.isProxy(type)
				&& NO_KEYS.stream().noneMatch((none) -> none.isAssignableFrom(type))
				&& supertypes(type).noneMatch(KeyTypes::isNoKeyByName) && !hasUnordered(type);
	}

	// Each process writes the same set in an order of its own. What is in a list, or in a
	// component of another type, shows in the text if it is no key
	private static boolean hasUnordered(Class<?> type) {
		return type.isRecord() && Arrays.stream(type.getRecordComponents())
			.map(RecordComponent::getType)
			.anyMatch((component) -> isUnordered(component) || (component != type && hasUnordered(component)));
	}

	private static boolean isUnordered(Class<?> type) {
		boolean isSorted = SortedSet.class.isAssignableFrom(type) || SortedMap.class.isAssignableFrom(type);
		return !isSorted && (Set.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type));
	}

	private static boolean isNoKeyByName(Class<?> type) {
		return NO_KEYS_OF_OTHERS.contains(type.getName()) || type.getPackageName().equals(FUNCTIONS);
	}

	private static Stream<Class<?>> supertypes(Class<?> type) {
		return Stream.concat(Stream.<Class<?>>iterate(type, (declaring) -> declaring != null, Class::getSuperclass),
				ClassUtils.getAllInterfacesForClassAsSet(type).stream());
	}

}
