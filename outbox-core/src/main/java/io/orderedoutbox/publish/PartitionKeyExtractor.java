package io.orderedoutbox.publish;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.PartitionKeyStamp;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * Turns what {@link io.orderedoutbox.PartitionKey} marks on an event into a key.
 */
final class PartitionKeyExtractor {

	private final ConcurrentMap<Class<?>, Optional<KeyAccessor>> accessors = new ConcurrentHashMap<>();

	/**
	 * Return the stamp for the annotated key, or {@code null} if the type has no
	 * annotation or its value is null or blank.
	 * @throws OutboxPublicationException if the value cannot be read or is no key
	 */
	@Nullable PartitionKeyStamp extract(Object event) {
		Optional<KeyAccessor> accessor = this.accessors.computeIfAbsent(event.getClass(),
				(type) -> Optional.ofNullable(KeyAccessor.of(type)));
		if (accessor.isEmpty()) {
			return null;
		}
		try {
			String key = text(accessor.get().read(event));
			return StringUtils.hasText(key) ? PartitionKeyStamp.of(key) : null;
		}
		catch (RuntimeException ex) {
			throw new OutboxPublicationException("The partition key of event %s cannot be used: %s"
				.formatted(event.getClass().getName(), ex.getMessage()), ex);
		}
	}

	private static @Nullable String text(@Nullable Object value) {
		if (value == null) {
			return null;
		}
		Class<?> type = value.getClass();
		if (type.isArray() || ClassUtils.getMethod(type, "toString").getDeclaringClass() == Object.class) {
			// Object.toString() differs between two instances of one identity: no order
			// at all
			throw new IllegalArgumentException("a value of type " + type.getTypeName()
					+ " has no toString() that identifies it; use its id instead");
		}
		return value.toString();
	}

}
