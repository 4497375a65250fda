/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.routing;

import java.util.Comparator;
import java.util.Map;

import org.springframework.util.PatternMatchUtils;

/**
 * Something for each message name, by patterns in which {@code *} stands for any text. A
 * name itself comes before all patterns, and a longer pattern before a shorter one.
 *
 * @param byPattern what there is, by patterns or names
 * @param otherwise what there is for all other names
 * @param <T> the type of it
 */
public record MessageNamePatterns<T>(Map<String, T> byPattern, T otherwise) {

	/**
	 * Create patterns.
	 */
	public MessageNamePatterns {
		byPattern = Map.copyOf(byPattern);
	}

	/**
	 * Return what there is for a message.
	 * @param name the name of the message
	 * @return what the pattern says that fits best, or what there is for all other names
	 */
	public T of(String name) {
		T exact = this.byPattern.get(name);
		if (exact != null) {
			return exact;
		}
		return this.byPattern.entrySet()
			.stream()
			.filter((entry) -> PatternMatchUtils.simpleMatch(entry.getKey(), name))
			.max(Comparator.<Map.Entry<String, T>>comparingInt((entry) -> entry.getKey().length())
				.thenComparing(Map.Entry::getKey))
			.map(Map.Entry::getValue)
			.orElse(this.otherwise);
	}

}
