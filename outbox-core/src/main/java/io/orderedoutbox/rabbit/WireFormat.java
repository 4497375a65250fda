/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToIntFunction;

import com.rabbitmq.client.AMQP;
import io.orderedoutbox.HeaderStamp;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;

/**
 * What a message carries besides its body, and nothing more.
 */
public final class WireFormat {

	private static final int PERSISTENT = 2;

	private final OptionalHeaders optional;

	private final ToIntFunction<Message> partitions;

	private final @Nullable CloudEventAttributes attributes;

	/**
	 * Create a format.
	 * @param optional the headers that the application asks for
	 * @param partitions knows the partition of a message
	 */
	public WireFormat(OptionalHeaders optional, ToIntFunction<Message> partitions) {
		this(optional, partitions, null);
	}

	/**
	 * Create a format of which each message may be a CloudEvent, too.
	 * @param optional the headers that the application asks for
	 * @param partitions knows the partition of a message
	 * @param attributes what makes a message a CloudEvent, or null
	 */
	public WireFormat(OptionalHeaders optional, ToIntFunction<Message> partitions,
			@Nullable CloudEventAttributes attributes) {
		this.optional = optional;
		this.partitions = partitions;
		this.attributes = attributes;
	}

	AMQP.BasicProperties properties(StoredMessage stored) {
		Message message = stored.message();
		AMQP.BasicProperties.Builder properties = new AMQP.BasicProperties.Builder()
			.messageId(message.messageId().toString())
			.type(message.name())
			.contentType(message.contentType())
			.timestamp(Date.from(stored.createdAt()))
			.deliveryMode(PERSISTENT);
		return properties.headers(headers(stored, properties)).build();
	}

	private Map<String, Object> headers(StoredMessage stored, AMQP.BasicProperties.Builder properties) {
		Message message = stored.message();
		String messageId = message.messageId().toString();
		if (message.headers().isEmpty() && this.optional.equals(OptionalHeaders.NONE) && this.attributes == null) {
			return Map.of(HeaderStamp.MESSAGE_ID_HEADER, messageId);
		}
		Map<String, Object> headers = new HashMap<>(message.headers());
		headers.entrySet().removeIf((header) -> isProperty(header.getKey(), header.getValue(), properties));
		addOptional(headers, stored);
		if (this.attributes != null) {
			this.attributes.addTo(headers, stored, this.optional.partitionKey());
		}
		headers.put(HeaderStamp.MESSAGE_ID_HEADER, messageId);
		return headers;
	}

	// What another writer has stored under such a name, and is no such property, stays a
	// header
	private static boolean isProperty(String name, Object value, AMQP.BasicProperties.Builder properties) {
		if (!name.startsWith(Message.AMQP)) {
			return false;
		}
		if (name.equals(Message.PRIORITY) && value instanceof Long priority) {
			properties.priority(priority.intValue());
		}
		else if (name.equals(Message.EXPIRATION) && value instanceof String expiration) {
			properties.expiration(expiration);
		}
		else if (name.equals(Message.APP_ID) && value instanceof String appId) {
			properties.appId(appId);
		}
		else if (name.equals(Message.CORRELATION_ID) && value instanceof String correlationId) {
			properties.correlationId(correlationId);
		}
		else if (name.equals(Message.CONTENT_ENCODING) && value instanceof String encoding) {
			properties.contentEncoding(encoding);
		}
		else {
			return false;
		}
		return true;
	}

	private void addOptional(Map<String, Object> headers, StoredMessage stored) {
		if (this.optional.partition()) {
			headers.put(HeaderStamp.PARTITION_HEADER, (long) this.partitions.applyAsInt(stored.message()));
		}
		if (this.optional.partitionKey() && !stored.message().partitionKey().isEmpty()) {
			headers.put(HeaderStamp.PARTITION_KEY_HEADER, stored.message().partitionKey());
		}
		if (this.optional.position()) {
			headers.put(HeaderStamp.POSITION_HEADER, stored.id());
		}
		if (this.optional.publishedAt()) {
			headers.put(HeaderStamp.PUBLISHED_AT_HEADER, ChronoUnit.MICROS.between(Instant.EPOCH, stored.createdAt()));
		}
	}

}
