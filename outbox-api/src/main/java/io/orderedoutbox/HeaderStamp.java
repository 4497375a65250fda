/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/**
 * A header of the application's own that travels with a message. Give one stamp for each
 * header.
 *
 * @param name the header name, at most 255 bytes in UTF-8; the names that the outbox sets
 * ({@code x-message-id}, {@code x-partition}, {@code x-partition-key},
 * {@code x-position}, {@code x-published-at}, {@code x-replayed-at}), those that begin
 * with {@code amqp:} or {@code outbox:}, and those that the broker interprets
 * ({@code CC}, {@code BCC}) are refused
 * @param value the header value
 */
public record HeaderStamp(String name, String value) implements Stamp {

	/**
	 * Name of the header that carries the message id, set by the outbox.
	 */
	public static final String MESSAGE_ID_HEADER = "x-message-id";

	/**
	 * Name of the header that carries the number of the partition, a 64-bit integer,
	 * where {@code outbox.rabbit.headers.partition} asks for it.
	 */
	public static final String PARTITION_HEADER = "x-partition";

	/**
	 * Name of the header that carries the partition key, where
	 * {@code outbox.rabbit.headers.partition-key} asks for it. A message without a key
	 * has no such header.
	 */
	public static final String PARTITION_KEY_HEADER = "x-partition-key";

	/**
	 * Name of the header that carries the position, a 64-bit integer, where
	 * {@code outbox.rabbit.headers.position} asks for it.
	 */
	public static final String POSITION_HEADER = "x-position";

	/**
	 * Name of the header that carries the time of publication by the clock of the
	 * database, in microseconds since 1970, a 64-bit integer, where
	 * {@code outbox.rabbit.headers.published-at} asks for it.
	 */
	public static final String PUBLISHED_AT_HEADER = "x-published-at";

	/**
	 * Name of the header that marks a message that an operator has replayed from the
	 * archive. It carries when the message was put into the outbox again, by the clock of
	 * the database, as text.
	 */
	public static final String REPLAYED_AT_HEADER = "x-replayed-at";

	// The names of AMQP properties, which only a RoutingStrategy sets
	private static final String AMQP = "amqp:";

	// What the outbox says to its relay
	private static final String INTERNAL = "outbox:";

	// The broker reads routing keys from CC and BCC and closes the channel if they are
	// text
	private static final Set<String> RESERVED = Set.of(MESSAGE_ID_HEADER, PARTITION_HEADER, PARTITION_KEY_HEADER,
			POSITION_HEADER, PUBLISHED_AT_HEADER, REPLAYED_AT_HEADER, "cc", "bcc");

	/**
	 * Create a stamp.
	 * @throws IllegalArgumentException if the name is empty, too long or reserved, or the
	 * value is null, or one of them cannot be encoded as UTF-8
	 */
	public HeaderStamp {
		Require.that(name != null && !name.isBlank(), "'name' must not be empty");
		Require.that(name.getBytes(StandardCharsets.UTF_8).length <= 255,
				() -> "Header name '" + name + "' must not be longer than 255 bytes");
		String lower = name.toLowerCase(Locale.ROOT);
		Require.that(!RESERVED.contains(lower) && !lower.startsWith(AMQP) && !lower.startsWith(INTERNAL),
				() -> "Header name '" + name + "' is reserved: choose another");
		Require.that(value != null, () -> "Value of header '" + name + "' must not be null");
		Require.encodable(name, () -> "Name of header '" + name + "'");
		Require.encodable(value, () -> "Value of header '" + name + "'");
	}

	/**
	 * Return a stamp for the given header.
	 * @param name the header name
	 * @param value the header value
	 * @return the stamp
	 */
	public static HeaderStamp of(String name, String value) {
		return new HeaderStamp(name, value);
	}

}
