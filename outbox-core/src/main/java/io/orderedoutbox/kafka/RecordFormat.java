/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import io.orderedoutbox.HeaderStamp;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;

import org.springframework.util.StringUtils;

/**
 * What a record carries besides the payload: the partition key as its key, null for a
 * message without one, and headers, all of them text in UTF-8.
 * <p>
 * The time of a record is that of its sending, not of its publication: a topic that
 * deletes what is too old would otherwise delete a message that has waited.
 */
final class RecordFormat {

	/**
	 * Name of the header with the name of the message.
	 */
	static final String NAME_HEADER = "x-message-name";

	/**
	 * Name of the header with the MIME type of the payload.
	 */
	static final String CONTENT_TYPE_HEADER = "content-type";

	/**
	 * Name of the header that says what a consumer undoes, as {@code gzip}.
	 */
	static final String CONTENT_ENCODING_HEADER = "content-encoding";

	private RecordFormat() {
	}

	static ProducerRecord<String, byte[]> record(StoredMessage stored) {
		Message message = stored.message();
		String key = message.partitionKey();
		ProducerRecord<String, byte[]> record = new ProducerRecord<>(message.destination().exchange(),
				StringUtils.hasLength(key) ? key : null, message.payload());
		Headers headers = record.headers();
		message.headers().forEach((name, value) -> {
			if (!name.startsWith(Message.AMQP)) {
				set(headers, name, value);
			}
		});
		// Properties of AMQP are none of Kafka's, except for what was done to the
		// payload: without it nobody could read the payload
		Object encoding = message.headers().get(Message.CONTENT_ENCODING);
		if (encoding != null) {
			set(headers, CONTENT_ENCODING_HEADER, encoding);
		}
		set(headers, HeaderStamp.MESSAGE_ID_HEADER, message.messageId());
		set(headers, NAME_HEADER, message.name());
		set(headers, CONTENT_TYPE_HEADER, message.contentType());
		set(headers, HeaderStamp.PUBLISHED_AT_HEADER, ChronoUnit.MICROS.between(Instant.EPOCH, stored.createdAt()));
		return record;
	}

	// What is set later takes the place of a header of the application with that name
	private static void set(Headers headers, String name, Object value) {
		headers.remove(name);
		headers.add(name, value.toString().getBytes(StandardCharsets.UTF_8));
	}

}
