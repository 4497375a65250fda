/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.admin;

import java.util.UUID;

import io.orderedoutbox.PartitionKeyStamp;

import org.springframework.util.Assert;

/**
 * Which messages an operator means.
 *
 * @param by what they have in common
 * @param value the value of that, empty where there is none
 */
public record MessageSelection(By by, String value) {

	private static final MessageSelection ALL = new MessageSelection(By.NOTHING, "");

	private static final MessageSelection WITHOUT_KEY = new MessageSelection(By.PARTITION_KEY, "");

	/**
	 * Create a selection.
	 * @throws IllegalArgumentException if there can be no such messages
	 */
	public MessageSelection {
		Assert.notNull(by, "'by' must not be null");
		Assert.notNull(value, "'value' must not be null");
		switch (by) {
			case MESSAGE_ID, NAME -> {
				Assert.hasText(value,
						() -> "'value' must not be empty: use MessageSelection.all() to select all messages");
				Assert.isTrue(isAscii(value), "'value' must be ASCII: message ids and names are");
			}
			case PARTITION_KEY -> new PartitionKeyStamp(value);
			case GROUP -> Assert.hasText(value, "'value' must be the name of a group, and must not be empty");
			case NOTHING -> Assert.isTrue(value.isEmpty(), "'value' must be empty where all messages are selected");
			default -> throw new IllegalArgumentException("'by' is unknown: " + by);
		}
	}

	private static boolean isAscii(String value) {
		return value.chars().allMatch((character) -> character < 128);
	}

	/**
	 * Select one message.
	 * @param messageId its id
	 * @return the selection
	 */
	public static MessageSelection message(UUID messageId) {
		return message(messageId.toString());
	}

	/**
	 * Select one message.
	 * @param messageId its id as it is stored
	 * @return the selection
	 */
	public static MessageSelection message(String messageId) {
		return new MessageSelection(By.MESSAGE_ID, messageId);
	}

	/**
	 * Select the messages of a partition key.
	 * @param partitionKey the key
	 * @return the selection
	 * @throws IllegalArgumentException if the key is empty, or can be no key
	 */
	public static MessageSelection key(String partitionKey) {
		Assert.hasLength(partitionKey,
				"'partitionKey' must not be empty: use MessageSelection.withoutKey() for messages without a key");
		return new MessageSelection(By.PARTITION_KEY, partitionKey);
	}

	/**
	 * Select the messages that have no partition key.
	 * @return the selection
	 */
	public static MessageSelection withoutKey() {
		return WITHOUT_KEY;
	}

	/**
	 * Select the messages of a name.
	 * @param name the name
	 * @return the selection
	 */
	public static MessageSelection name(String name) {
		return new MessageSelection(By.NAME, name);
	}

	/**
	 * Select the messages that have failed for one destination and one cause.
	 * @param group the name of a {@link FailureGroup#group() group}
	 * @return the selection
	 */
	public static MessageSelection group(String group) {
		return new MessageSelection(By.GROUP, group);
	}

	/**
	 * Select all messages.
	 * @return the selection
	 */
	public static MessageSelection all() {
		return ALL;
	}

	/**
	 * Return how the selection is named in logs, on one line.
	 */
	@Override
	public String toString() {
		String printable = this.value.replaceAll("\\p{Cntrl}", "?");
		return switch (this.by) {
			case MESSAGE_ID -> "message " + printable;
			case PARTITION_KEY -> printable.isEmpty() ? "messages without a key" : "key '" + printable + "'";
			case NAME -> "name '" + printable + "'";
			case GROUP -> "group \"" + printable + "\"";
			case NOTHING -> "all";
		};
	}

	/**
	 * What selected messages have in common.
	 */
	public enum By {

		/**
		 * The message id, which selects one message.
		 */
		MESSAGE_ID,

		/**
		 * The partition key; an empty value means those without a key.
		 */
		PARTITION_KEY,

		/**
		 * The name.
		 */
		NAME,

		/**
		 * The destination and the cause for which they have failed: the value is the name
		 * of a {@link FailureGroup}.
		 */
		GROUP,

		/**
		 * Nothing, which selects all messages.
		 */
		NOTHING

	}

}
