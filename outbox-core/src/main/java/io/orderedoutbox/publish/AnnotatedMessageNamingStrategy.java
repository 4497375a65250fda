/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.util.Locale;
import java.util.regex.Pattern;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.publish.key.AnnotationLookup;
import io.orderedoutbox.publish.key.KeyAccessor;
import io.orderedoutbox.publish.key.LibraryTypes;

import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * {@link MessageNamingStrategy} that takes the name from {@link OutboxMessage}, or else
 * derives it from the simple name of the class: {@code OrderPlaced} becomes
 * {@code order.placed}, {@code HTTPRequestSent} becomes {@code http.request.sent}.
 */
public final class AnnotatedMessageNamingStrategy implements MessageNamingStrategy {

	/**
	 * What a name looks like: lower-case segments joined by dots, at most 190 characters.
	 */
	public static final Pattern PATTERN = Pattern.compile("(?=.{1,190}\\z)[a-z][a-z0-9_-]*(\\.[a-z0-9][a-z0-9_-]*)*");

	private static final Pattern WORD_START = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");

	/**
	 * Return the name for an event type.
	 * @param eventType the class of the event
	 * @return the name
	 * @throws IllegalArgumentException if the type carries no name, and is an array or
	 * one of the JDK, of Spring, of Kotlin or of Jackson; or if it carries no annotation
	 * at all, and is a map, an iterable or an iterator, or one of Google or of Vavr: a
	 * name like {@code map1} or {@code regular.immutable.map} would be a contract that
	 * nobody has written
	 */
	@Override
	public String nameOf(Class<?> eventType) {
		OutboxMessage annotation = AnnotationLookup.find(eventType, OutboxMessage.class);
		if (annotation != null && StringUtils.hasLength(annotation.value())) {
			return annotation.value();
		}
		if (LibraryTypes.contain(eventType)
				|| (annotation == null && LibraryTypes.mayContain(eventType) && !KeyAccessor.isAnnotated(eventType))) {
			throw new IllegalArgumentException(
					"a name that is made from a type of a library, from a collection or from an array, does not say what has happened: publish a record of your own that contains the data, with @OutboxMessage(\"order.placed\"), annotate the type itself if it is yours, or declare a MessageNamingStrategy bean that gives a name to this type");
		}
		return WORD_START.matcher(written(eventType).getSimpleName()).replaceAll(".").toLowerCase(Locale.ROOT);
	}

	// A constant with a body is of a class without a name, below the one that was written
	private static Class<?> written(Class<?> eventType) {
		Class<?> type = ClassUtils.getUserClass(eventType);
		Class<?> superclass = type.getSuperclass();
		return (superclass != null && superclass.isEnum()) ? superclass : type;
	}

}
