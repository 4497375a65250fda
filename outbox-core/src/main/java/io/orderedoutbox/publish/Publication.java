/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.util.Map;
import java.util.UUID;

/**
 * An event that is being published, as a {@link RoutingStrategy} sees it.
 *
 * @param messageId the id of the message, from a stamp or new
 * @param name the name of the message
 * @param event the event, not serialised yet
 * @param partitionKey the partition key, from a stamp or an annotation, empty for none
 * @param partition the partition of the key, from 0. A message without a key has the
 * partition to which its id is hashed, whatever lane of the table it is stored in
 * @param headers the headers that stamps, correlation and trace give the message
 */
public record Publication(UUID messageId, String name, Object event, String partitionKey, int partition,
		Map<String, Object> headers) {

	/**
	 * Create a publication.
	 */
	public Publication {
		headers = Map.copyOf(headers);
	}

	/**
	 * Return the class of the event.
	 * @return the class
	 */
	public Class<?> eventType() {
		return this.event.getClass();
	}

}
