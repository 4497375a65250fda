package io.orderedoutbox.admin;

import java.time.Instant;

/**
 * A message that was published, and is kept for a while.
 *
 * @param message the message, as it was when it left the outbox
 * @param publishedAt when it left the outbox
 */
public record ArchivedMessage(MessageSummary message, Instant publishedAt) {

}
