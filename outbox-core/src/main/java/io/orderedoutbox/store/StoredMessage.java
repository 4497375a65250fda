/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.store;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A message in the outbox.
 *
 * @param id the position: within a partition key, smaller means committed earlier
 * @param message the message
 * @param createdAt when it was stored, by the clock of the database
 * @param availableAt since when it may be sent, by the same clock: when it was stored, or
 * later if it was delayed or was a dead letter
 * @param attempts how many attempts to send it have failed
 * @param defect why the row cannot be sent as it is, {@code null} if it can
 * @param irremovable whether its last attempt has failed because it was published and
 * could not be removed from the outbox
 */
public record StoredMessage(long id, Message message, Instant createdAt, Instant availableAt, int attempts,
		@Nullable Defect defect, boolean irremovable) {

	/**
	 * How the error begins that is stored of a message that could not be removed.
	 */
	public static final String NOT_REMOVED = "published, but it could not be removed from the outbox: ";

	/**
	 * Create a message that was not delayed, and whose last attempt has not failed
	 * because it could not be removed.
	 * @param id the position
	 * @param message the message
	 * @param createdAt when it was stored
	 * @param attempts how many attempts to send it have failed
	 * @param defect why the row cannot be sent as it is, {@code null} if it can
	 */
	public StoredMessage(long id, Message message, Instant createdAt, int attempts, @Nullable Defect defect) {
		this(id, message, createdAt, createdAt, attempts, defect, false);
	}

	/**
	 * Return this message with what was not read with it.
	 * @param whole the message with all that it carries
	 * @return a new message at the same position
	 */
	public StoredMessage with(Message whole) {
		return new StoredMessage(this.id, whole, this.createdAt, this.availableAt, this.attempts, this.defect,
				this.irremovable);
	}

	/**
	 * Return this message with what keeps it from being sent.
	 * @param found what keeps it from being sent
	 * @return a new message at the same position
	 */
	public StoredMessage withDefect(Defect found) {
		return new StoredMessage(this.id, this.message, this.createdAt, this.availableAt, this.attempts, found,
				this.irremovable);
	}

	/**
	 * Return how the message is named in logs and errors.
	 */
	@Override
	public String toString() {
		return "message %s (%s, key '%s', id %d)".formatted(this.message.messageId(), this.message.name(),
				this.message.partitionKey(), this.id);
	}

}
