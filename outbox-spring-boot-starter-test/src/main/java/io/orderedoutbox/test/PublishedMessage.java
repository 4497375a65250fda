/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

import io.orderedoutbox.Destination;
import io.orderedoutbox.store.Message;
import org.jspecify.annotations.Nullable;

/**
 * A message that was published in a test.
 *
 * @param event the event from which it was made, {@code null} if it was not published in
 * the test. It is the object itself: if the code has changed it since, the message still
 * has what it was then
 * @param message the message as it is stored, or as it has arrived
 * @param body the payload as consumers read it: what compression and other transformers
 * have done to it is undone
 * @param state how far it has come
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record PublishedMessage(@Nullable Object event, Message message, byte[] body, State state) {

	/**
	 * Return the id that every delivery carries.
	 * @return the id
	 */
	public UUID messageId() {
		return this.message.messageId();
	}

	/**
	 * Return the name of the message.
	 * @return the name, such as {@code order.placed}
	 */
	public String name() {
		return this.message.name();
	}

	/**
	 * Return the partition key.
	 * @return the key, empty for none
	 */
	public String partitionKey() {
		return this.message.partitionKey();
	}

	/**
	 * Return where the message goes.
	 * @return exchange and routing key
	 */
	public Destination destination() {
		return this.message.destination();
	}

	/**
	 * Return the headers that the application has given to the message.
	 * @return the headers
	 */
	public Map<String, Object> headers() {
		return this.message.headers();
	}

	/**
	 * Return the body as text.
	 * @return the JSON of the event, unless it was serialised as something else
	 */
	public String text() {
		return new String(this.body, StandardCharsets.UTF_8);
	}

	@Override
	public String toString() {
		String key = partitionKey().isEmpty() ? "no key" : "key '%s'".formatted(partitionKey());
		String headers = headers().isEmpty() ? "" : ", headers " + new TreeMap<>(headers());
		return "%s (%s), %s, %s, to '%s' / '%s'%s: %s".formatted(name(),
				(this.event != null) ? this.event.getClass().getSimpleName() : "of no event of this test", key,
				this.state.words, destination().exchange(), destination().routingKey(), headers, text());
	}

	/**
	 * How far a message has come.
	 */
	public enum State {

		/**
		 * The transaction of the current thread has published the message, and has not
		 * committed it.
		 */
		PENDING("not committed"),

		/**
		 * The message is stored in the outbox.
		 */
		COMMITTED("committed"),

		/**
		 * The message has arrived at the broker.
		 */
		ARRIVED("arrived"),

		/**
		 * The message has spent its last attempt, and its partition key stands still.
		 */
		BLOCKED("blocked"),

		/**
		 * The message has spent its last attempt and is a dead letter; its partition key
		 * goes on.
		 */
		DEAD_LETTER("dead letter");

		private final String words;

		State(String words) {
			this.words = words;
		}

	}

}
