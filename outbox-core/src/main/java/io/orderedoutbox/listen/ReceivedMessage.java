/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.listen;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import io.orderedoutbox.store.StoredMessage;

/**
 * What an {@link OutboxListener} may know of a message besides its payload.
 *
 * @param messageId the id, the same each time that the message is handed over
 * @param name the name of the message
 * @param partitionKey the partition key, empty for none
 * @param headers the headers: text, truth values, {@code Long} and {@code Double}
 * @param publishedAt when the message was stored, by the clock of the database
 * @param attempts how often it has failed before
 */
public record ReceivedMessage(UUID messageId, String name, String partitionKey, Map<String, Object> headers,
		Instant publishedAt, int attempts) {

	/**
	 * Create a message.
	 */
	public ReceivedMessage {
		headers = Map.copyOf(headers);
	}

	static ReceivedMessage of(StoredMessage stored) {
		return new ReceivedMessage(stored.message().messageId(), stored.message().name(),
				stored.message().partitionKey(), stored.message().headers(), stored.createdAt(), stored.attempts());
	}

}
