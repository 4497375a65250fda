/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Constants as they are written in JSON and in addresses: in lower case.
 */
public final class Names {

	private Names() {
	}

	/**
	 * Return how a constant is written for operators.
	 * @param constant the constant
	 * @return its name in lower case
	 */
	public static String of(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT);
	}

	/**
	 * The constant of a name.
	 * @throws IllegalArgumentException if there is none, with those that there are
	 */
	public static <E extends Enum<E>> E find(Class<E> type, String parameter, String name) {
		return find(type, name).orElseThrow(() -> new IllegalArgumentException("'%s' must be one of %s, but is '%s'"
			.formatted(parameter, all(type).collect(Collectors.joining(", ")), name)));
	}

	/**
	 * The constant of a name, if there is one.
	 */
	public static <E extends Enum<E>> Optional<E> find(Class<E> type, String name) {
		return Arrays.stream(type.getEnumConstants()).filter((constant) -> of(constant).equals(name)).findFirst();
	}

	/**
	 * The names of all constants.
	 */
	public static Stream<String> all(Class<? extends Enum<?>> type) {
		return Arrays.stream(type.getEnumConstants()).map(Names::of);
	}

	/**
	 * Two names or more, as a sentence has them.
	 */
	public static String enumerated(Stream<String> names) {
		List<String> all = names.toList();
		int last = all.size() - 1;
		return String.join(", ", all.subList(0, last)) + " and " + all.get(last);
	}

}
