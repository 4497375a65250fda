/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.publish.key.AnnotationLookup;

/**
 * Which outbox the type of an event names with {@link OutboxMessage#outbox()}. A type is
 * looked at once.
 */
final class OutboxOfType {

	private final ConcurrentMap<Class<?>, String> names = new ConcurrentHashMap<>();

	/**
	 * The name of the outbox, empty if the type names none.
	 */
	String of(Class<?> type) {
		return this.names.computeIfAbsent(type, OutboxOfType::named);
	}

	private static String named(Class<?> type) {
		OutboxMessage annotation = AnnotationLookup.find(type, OutboxMessage.class);
		return (annotation != null) ? annotation.outbox() : "";
	}

}
