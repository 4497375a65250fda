/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.store;

import java.util.Map;
import java.util.UUID;

import io.orderedoutbox.Destination;

/**
 * An event as it is stored and relayed. It never changes after publication.
 *
 * @param messageId the id that every delivery carries
 * @param name the semantic type
 * @param partitionKey the key whose messages stay in order, empty for none
 * @param destination where the message goes
 * @param contentType the MIME type of the payload
 * @param payload the body, not to be modified
 * @param headers the application's own headers: text, truth values, {@code Long} and
 * {@code Double}. Names that begin with {@value #AMQP} stand for AMQP properties
 * @param delay how long the message waits before it is sent. Only for the store that
 * takes the message: what a relay claims has none, because its time has come
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Message(UUID messageId, String name, String partitionKey, Destination destination, String contentType,
		byte[] payload, Map<String, Object> headers, Delay delay) {

	/**
	 * What the names of AMQP properties begin with. No header of the application can have
	 * such a name.
	 */
	public static final String AMQP = "amqp:";

	/**
	 * Stands for the property {@code priority}, a {@code Long}.
	 */
	public static final String PRIORITY = AMQP + "priority";

	/**
	 * Stands for the property {@code expiration}, milliseconds as text.
	 */
	public static final String EXPIRATION = AMQP + "expiration";

	/**
	 * Stands for the property {@code app_id}.
	 */
	public static final String APP_ID = AMQP + "app-id";

	/**
	 * Stands for the property {@code correlation_id}.
	 */
	public static final String CORRELATION_ID = AMQP + "correlation-id";

	/**
	 * Stands for the property {@code content_encoding}: what transformers have done to
	 * the payload that a consumer undoes.
	 */
	public static final String CONTENT_ENCODING = AMQP + "content-encoding";

	/**
	 * Create a message.
	 */
	public Message {
		headers = Map.copyOf(headers);
	}

	/**
	 * Create a message that does not wait.
	 * @param messageId the id that every delivery carries
	 * @param name the semantic type
	 * @param partitionKey the key whose messages stay in order, empty for none
	 * @param destination where the message goes
	 * @param contentType the MIME type of the payload
	 * @param payload the body
	 * @param headers the application's own headers
	 */
	public Message(UUID messageId, String name, String partitionKey, Destination destination, String contentType,
			byte[] payload, Map<String, Object> headers) {
		this(messageId, name, partitionKey, destination, contentType, payload, headers, Delay.NONE);
	}

	/**
	 * Return this message with a payload that was not read with it.
	 * @param whole the payload
	 * @return a new message
	 */
	public Message withPayload(byte[] whole) {
		return with(this.contentType, whole, this.headers);
	}

	/**
	 * Return this message with another payload.
	 * @param type the MIME type of the payload
	 * @param body the payload
	 * @param all the headers
	 * @return a new message
	 */
	public Message with(String type, byte[] body, Map<String, Object> all) {
		return new Message(this.messageId, this.name, this.partitionKey, this.destination, type, body, all, this.delay);
	}

}
