/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox;

/**
 * Thrown in ordered mode when an event has no partition key.
 */
public final class MissingPartitionKeyException extends OutboxPublicationException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param eventType the class of the event
	 * @param reason why no key was found
	 */
	public MissingPartitionKeyException(Class<?> eventType, String reason) {
		super(("Event %s has no partition key: %s. Annotate the record component, field or getter that identifies its "
				+ "aggregate with @PartitionKey, or publish it with an explicit stamp: "
				+ "outbox.publish(event, PartitionKeyStamp.of(key)), or PartitionKeyStamp.none() if it needs no order. "
				+ "A type whose events never need one says @OutboxMessage(ordered = false)")
			.formatted(eventType.getName(), reason));
	}

}
