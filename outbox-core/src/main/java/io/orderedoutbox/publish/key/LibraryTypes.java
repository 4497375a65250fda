/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish.key;

import java.util.Iterator;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Types that no author of events has written, and on which an author can put no
 * annotation.
 */
public final class LibraryTypes {

	private LibraryTypes() {
	}

	/**
	 * Return whether the type is one of the JDK, of Spring, of Kotlin or of Jackson, or
	 * an array.
	 */
	public static boolean contain(Class<?> type) {
		ClassLoader loader = type.getClassLoader();
		return type.isArray() || loader == null || loader == ClassLoader.getPlatformClassLoader() || isOfSpring(type)
				|| Stream.of("kotlin.", "tools.jackson.", "com.fasterxml.jackson.")
					.anyMatch(type.getName()::startsWith);
	}

	/**
	 * Return whether the type may be one of another library: a collection, or a type of
	 * Google or of Vavr. An author of events may have written such a type, too, and tells
	 * so by an annotation.
	 */
	public static boolean mayContain(Class<?> type) {
		return Map.class.isAssignableFrom(type) || Iterable.class.isAssignableFrom(type)
				|| Iterator.class.isAssignableFrom(type) || type.getName().startsWith("com.google.")
				|| type.getName().startsWith("io.vavr.");
	}

	/**
	 * Return whether the type is one of Spring, and not of one of its sample
	 * applications.
	 */
	static boolean isOfSpring(Class<?> type) {
		return type.getName().startsWith("org.springframework.")
				&& !type.getName().startsWith("org.springframework.samples.");
	}

}
