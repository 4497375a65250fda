package io.orderedoutbox.admin;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A message without its content, as it is stored: also one whose row is damaged.
 *
 * @param messageId the id that every delivery carries
 * @param name the name of the message
 * @param partitionKey the partition key, empty if it is bound to no order
 * @param exchange the exchange that it goes to
 * @param routingKey the routing key
 * @param attempts how many attempts to send it have failed
 * @param lastError what went wrong last, {@code null} if nothing did
 * @param createdAt when it was stored
 */
public record MessageSummary(String messageId, String name, String partitionKey, String exchange, String routingKey,
		int attempts, @Nullable String lastError, Instant createdAt) {

}
