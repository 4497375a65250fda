package io.orderedoutbox.publish;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import java.util.function.ToIntBiFunction;

import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.store.Message;

import org.springframework.util.Assert;
import org.springframework.util.unit.DataSize;

/**
 * Makes the message that is stored and relayed from an event and its stamps. Everything
 * about the message is final after that.
 */
public final class MessageFactory {

	private final ConcurrentMap<Class<?>, String> names = new ConcurrentHashMap<>();

	private final MessageNamingStrategy naming;

	private final RoutingStrategy routing;

	private final PayloadSerializer serializer;

	private final MessageIdGenerator ids;

	private final ToIntBiFunction<String, UUID> partitions;

	private final DataSize maxPayloadSize;

	/**
	 * Create a factory.
	 * @param naming names event types
	 * @param routing chooses destinations
	 * @param serializer makes payloads
	 * @param ids makes message ids
	 * @param partitions knows the partition of a message by its key, which may be empty,
	 * and its id
	 * @param maxPayloadSize greatest size of a payload
	 */
	public MessageFactory(MessageNamingStrategy naming, RoutingStrategy routing, PayloadSerializer serializer,
			MessageIdGenerator ids, ToIntBiFunction<String, UUID> partitions, DataSize maxPayloadSize) {
		this.naming = naming;
		this.routing = routing;
		this.serializer = serializer;
		this.ids = ids;
		this.partitions = partitions;
		this.maxPayloadSize = maxPayloadSize;
	}

	Message create(Object event, Stamps stamps) {
		Class<?> type = event.getClass();
		String name = this.names.computeIfAbsent(type, this::name);
		UUID id = id(stamps);
		String key = (stamps.partitionKey() != null) ? stamps.partitionKey() : "";
		int partition = this.partitions.applyAsInt(key, id);
		Route route = refusing(type, "has no destination",
				() -> this.routing.route(new Publication(id, name, event, key, partition, stamps.headers())));
		Payload payload = refusing(type, "cannot be serialised", () -> this.serializer.serialize(event));
		if (payload.body().length > this.maxPayloadSize.toBytes()) {
			throw new OutboxPublicationException(
					"Event %s has a payload of %d bytes, but outbox.max-payload-size is %d: publish a reference instead, or raise it (the broker has a limit too)"
						.formatted(type.getName(), payload.body().length, this.maxPayloadSize.toBytes()));
		}
		return new Message(id, name, key, route.destination(), payload.contentType(), payload.body(),
				headers(route, stamps), stamps.delay());
	}

	UUID id(Stamps stamps) {
		return (stamps.messageId() != null) ? stamps.messageId() : this.ids.next();
	}

	private static Map<String, Object> headers(Route route, Stamps stamps) {
		if (route.headers().isEmpty()) {
			return stamps.headers();
		}
		Map<String, Object> headers = new HashMap<>(route.headers());
		headers.putAll(stamps.headers());
		return headers;
	}

	private String name(Class<?> type) {
		String name = refusing(type, "has no message name", () -> this.naming.nameOf(type));
		if (!AnnotatedMessageNamingStrategy.PATTERN.matcher(name).matches()) {
			throw new OutboxPublicationException(
					"Event %s has the message name '%s', which is not valid: give it lower-case segments joined by dots, at most 190 characters, with @OutboxMessage(\"order.placed\")"
						.formatted(type.getName(), name));
		}
		return name;
	}

	private static <T> T refusing(Class<?> type, String what, Supplier<T> step) {
		try {
			T result = step.get();
			Assert.notNull(result, "the strategy returned null");
			return result;
		}
		catch (RuntimeException ex) {
			throw new OutboxPublicationException("Event %s %s: %s".formatted(type.getName(), what, ex.getMessage()),
					ex);
		}
	}

}
