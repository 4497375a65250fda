package io.orderedoutbox.store;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A message in the outbox.
 *
 * @param id the position: within a partition key, smaller means committed earlier
 * @param message the message
 * @param createdAt when it was stored, by the clock of the database
 * @param attempts how many attempts to send it have failed
 * @param defect why the row cannot be sent as it is, {@code null} if it can
 */
public record StoredMessage(long id, Message message, Instant createdAt, int attempts, @Nullable String defect) {

	/**
	 * Return how the message is named in logs and errors.
	 */
	@Override
	public String toString() {
		return "message %s (%s, key '%s', id %d)".formatted(this.message.messageId(), this.message.name(),
				this.message.partitionKey(), this.id);
	}

}
