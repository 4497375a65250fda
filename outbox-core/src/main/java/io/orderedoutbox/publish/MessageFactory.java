/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import java.util.function.ToIntBiFunction;

import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.payload.EncodedPayload;
import io.orderedoutbox.payload.PayloadTransformers;
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

	private final PayloadWriter payloads;

	private final MessageIdGenerator ids;

	private final ToIntBiFunction<String, UUID> partitions;

	/**
	 * Create a factory without payload transformers.
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
		this(naming, routing, new PayloadWriter(serializer, PayloadTransformers.NONE, maxPayloadSize), ids, partitions);
	}

	/**
	 * Create a factory.
	 * @param naming names event types
	 * @param routing chooses destinations
	 * @param payloads makes payloads
	 * @param ids makes message ids
	 * @param partitions knows the partition of a message by its key, which may be empty,
	 * and its id
	 */
	public MessageFactory(MessageNamingStrategy naming, RoutingStrategy routing, PayloadWriter payloads,
			MessageIdGenerator ids, ToIntBiFunction<String, UUID> partitions) {
		this.naming = naming;
		this.routing = routing;
		this.payloads = payloads;
		this.ids = ids;
		this.partitions = partitions;
	}

	Message create(Object event, Stamps stamps) {
		Class<?> type = event.getClass();
		String name = this.names.computeIfAbsent(type, this::name);
		UUID id = id(stamps);
		String key = (stamps.partitionKey() != null) ? stamps.partitionKey() : "";
		int partition = this.partitions.applyAsInt(key, id);
		Route route = refusing(type, "has no destination",
				() -> this.routing.route(new Publication(id, name, event, key, partition, stamps.headers())));
		Payload payload = this.payloads.serialize(event);
		EncodedPayload encoded = this.payloads.encode(event, payload, id, name);
		byte[] body = this.payloads.requireSize(event, (encoded != null) ? encoded.body() : payload.body());
		Map<String, Object> headers = headers(route, stamps);
		return new Message(id, name, key, route.destination(), payload.contentType(), body,
				(encoded != null) ? encoded.headers(headers) : headers, stamps.delay());
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

	static <T> T refusing(Class<?> type, String what, Supplier<T> step) {
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
