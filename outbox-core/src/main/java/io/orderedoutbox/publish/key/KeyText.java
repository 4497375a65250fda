/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish.key;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Turns the value of a partition key into text: what a holder holds, and the
 * {@code toString()} of everything else that has one of its own.
 * <p>
 * A value whose text depends on the instance or on an order is no key. Two events of one
 * aggregate would have two keys, and their order would be lost without a sign.
 */
final class KeyText {

	// As Object.toString() writes it for an array, or for a class in a package
	private static final Pattern IDENTITY = Pattern
		.compile("(?:\\[+(?:[ZBCSIJFD]|L[\\w.$]+;)|(?:\\b[a-z_]\\w*\\.)+[A-Z][\\w$]*(?:/0x[0-9a-f]+)?)"
				+ "@[0-9a-f]{1,8}(?![\\w.-])");

	private KeyText() {
	}

	/**
	 * Return the text, or {@code null} if there is no value, or a holder of none.
	 * @throws IllegalArgumentException if the value is none that could be a key
	 */
	static @Nullable String of(@Nullable Object value) {
		Object holder = value;
		Object held = held(holder);
		while (held != holder) {
			holder = held;
			held = held(holder);
		}
		if (held == null || held instanceof String) {
			return (String) held;
		}
		Class<?> type = held.getClass();
		String text = KeyTypes.contain(type) ? held.toString() : null;
		if (text == null || text.contains(type.getName() + "@") || IDENTITY.matcher(text).find()) {
			throw new IllegalArgumentException(
					"a value of type %s%s is no key, its text can differ between two events of one aggregate: use its id instead, a String, a number, a UUID, an enum or a record of these"
						.formatted(type.getTypeName(), ProxiedEvent.isProxy(type) ? ", a proxy," : ""));
		}
		return text;
	}

	private static @Nullable Object held(@Nullable Object holder) {
		if (holder instanceof Optional<?> optional) {
			return optional.orElse(null);
		}
		if (holder instanceof OptionalLong optional) {
			return optional.isPresent() ? optional.getAsLong() : null;
		}
		if (holder instanceof OptionalInt optional) {
			return optional.isPresent() ? optional.getAsInt() : null;
		}
		if (holder instanceof OptionalDouble optional) {
			return optional.isPresent() ? optional.getAsDouble() : null;
		}
		if (holder instanceof AtomicReference<?> reference) {
			return reference.get();
		}
		return (holder != null) ? KotlinValueClass.contentOf(holder) : null;
	}

}
