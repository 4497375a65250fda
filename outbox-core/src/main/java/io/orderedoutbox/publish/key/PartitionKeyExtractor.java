/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish.key;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.PartitionKeyStamp;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * Turns what {@link io.orderedoutbox.PartitionKey} marks on an event into a key.
 */
public final class PartitionKeyExtractor {

	private final ConcurrentMap<Class<?>, Optional<KeyAccessor>> accessors = new ConcurrentHashMap<>();

	private final ConcurrentMap<Class<?>, Boolean> unordered = new ConcurrentHashMap<>();

	/**
	 * Return the stamp for the annotated key: that without a key if the type says that it
	 * has none on purpose; {@code null} if it says nothing, or if the value is null,
	 * blank or an empty holder.
	 * @param event the event itself, no proxy: its caller has unwrapped it
	 * @throws OutboxPublicationException if the value cannot be read or is no key, or if
	 * the type says both
	 */
	public @Nullable PartitionKeyStamp extract(Object event) {
		Optional<KeyAccessor> accessor = this.accessors.computeIfAbsent(event.getClass(),
				PartitionKeyExtractor::accessor);
		if (accessor.isEmpty()) {
			boolean none = this.unordered.computeIfAbsent(event.getClass(), PartitionKeyExtractor::isUnordered);
			return none ? PartitionKeyStamp.none() : null;
		}
		try {
			String key = KeyText.of(accessor.get().read(event));
			return StringUtils.hasText(key) ? PartitionKeyStamp.of(key) : null;
		}
		catch (RuntimeException ex) {
			throw new OutboxPublicationException("The partition key of event %s cannot be used: %s"
				.formatted(event.getClass().getName(), ex.getMessage()), ex);
		}
	}

	private static Optional<KeyAccessor> accessor(Class<?> type) {
		KeyAccessor accessor = KeyAccessor.of(type);
		if (accessor != null && isUnordered(type)) {
			throw new OutboxPublicationException(
					"Event %s has a @PartitionKey, but says @OutboxMessage(ordered = false): remove one of them"
						.formatted(type.getName()));
		}
		return Optional.ofNullable(accessor);
	}

	private static boolean isUnordered(Class<?> type) {
		OutboxMessage message = AnnotationLookup.find(type, OutboxMessage.class);
		return message != null && !message.ordered();
	}

}
