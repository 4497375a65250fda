package io.orderedoutbox.publish;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.PartitionKeyStamp;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * Turns what {@link io.orderedoutbox.PartitionKey} marks on an event into a key.
 */
final class PartitionKeyExtractor {

	private final ConcurrentMap<Class<?>, Optional<KeyAccessor>> accessors = new ConcurrentHashMap<>();

	/**
	 * Return the stamp for the annotated key, or {@code null} if the type has no
	 * annotation or its value is null, blank or an empty holder.
	 * @param event the event itself, no proxy: its caller has unwrapped it
	 * @throws OutboxPublicationException if the value cannot be read or is no key
	 */
	@Nullable PartitionKeyStamp extract(Object event) {
		Optional<KeyAccessor> accessor = this.accessors.computeIfAbsent(event.getClass(),
				(type) -> Optional.ofNullable(KeyAccessor.of(type)));
		if (accessor.isEmpty()) {
			return null;
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

}
