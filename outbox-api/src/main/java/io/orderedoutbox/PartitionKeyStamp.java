/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox;

/**
 * The partition key of a message, given at the call.
 *
 * @param key the key, at most {@value #MAX_LENGTH} characters; empty means that the
 * message is bound to no order
 */
public record PartitionKeyStamp(String key) implements Stamp {

	/**
	 * Greatest length of a key, in characters (Unicode code points).
	 */
	public static final int MAX_LENGTH = 255;

	private static final PartitionKeyStamp NONE = new PartitionKeyStamp("");

	/**
	 * Create a stamp.
	 * @throws IllegalArgumentException if the key is null, too long, or cannot be encoded
	 * as UTF-8
	 */
	public PartitionKeyStamp {
		Require.that(key != null, "'key' must not be null: use PartitionKeyStamp.none() for a message without order");
		int length = key.codePointCount(0, key.length());
		Require.that(length <= MAX_LENGTH, () -> "'key' must not be longer than %d characters, but '%s…' has %d"
			.formatted(MAX_LENGTH, key.substring(0, key.offsetByCodePoints(0, 40)), length));
		// Two keys would be one
		Require.encodable(key, () -> "'key'");
	}

	/**
	 * Return a stamp for the given key.
	 * @param key the key
	 * @return the stamp
	 */
	public static PartitionKeyStamp of(String key) {
		return new PartitionKeyStamp(key);
	}

	/**
	 * Return the stamp that says: this message needs no order, on purpose. It is relayed
	 * in parallel with everything else and never waits for another message.
	 * @return the stamp with the empty key
	 */
	public static PartitionKeyStamp none() {
		return NONE;
	}

}
