/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.util.Map;

import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;

/**
 * The attributes that make a message a CloudEvent in binary content mode: a header for
 * each. The attribute {@code datacontenttype} is the AMQP property {@code content_type},
 * and the data is the body.
 * <p>
 * The binding of CloudEvents is one for AMQP 1.0, and has them in application properties,
 * which RabbitMQ makes of headers. Of the two prefixes that it knows, this is the one
 * that JMS can read as well. The headers are written here and not by the library of
 * CloudEvents, which would copy each event twice.
 */
public final class CloudEventAttributes {

	/**
	 * What the names of the headers begin with.
	 */
	static final String PREFIX = "cloudEvents_";

	static final String PARTITION_KEY = "partitionkey";

	private static final String VERSION = "1.0";

	private final String source;

	/**
	 * Create attributes.
	 * @param source who sends the events: a URI reference
	 * @throws IllegalArgumentException if it is none
	 */
	public CloudEventAttributes(String source) {
		AttributeRules.requireReference(source);
		this.source = source;
	}

	/**
	 * Add the attributes to the headers of a message. They win over headers that the
	 * message has under their names.
	 * @param headers the headers
	 * @param stored the message
	 * @param isKeyTold whether consumers may know the partition key
	 */
	void addTo(Map<String, Object> headers, StoredMessage stored, boolean isKeyTold) {
		Message message = stored.message();
		headers.put(PREFIX + "specversion", VERSION);
		headers.put(PREFIX + "id", message.messageId().toString());
		headers.put(PREFIX + "type", message.name());
		headers.put(PREFIX + "source", this.source);
		// As text: the timestamp of AMQP has whole seconds
		headers.put(PREFIX + "time", stored.createdAt().toString());
		if (isKeyTold && !message.partitionKey().isEmpty()) {
			headers.put(PREFIX + PARTITION_KEY, message.partitionKey());
		}
	}

}
