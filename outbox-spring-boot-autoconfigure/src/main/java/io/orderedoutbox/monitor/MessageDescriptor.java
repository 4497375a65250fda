package io.orderedoutbox.monitor;

import java.time.Instant;

import io.orderedoutbox.admin.ArchivedMessage;
import io.orderedoutbox.admin.DeadLetter;
import io.orderedoutbox.admin.MessageState;
import io.orderedoutbox.admin.MessageSummary;
import io.orderedoutbox.admin.StuckMessage;
import org.jspecify.annotations.Nullable;

/**
 * A message in a list.
 *
 * @param messageId the id that every delivery carries
 * @param name its name
 * @param partitionKey its partition key, empty if it is bound to no order
 * @param exchange the exchange that it goes to
 * @param routingKey the routing key
 * @param state in which state it was asked for
 * @param attempts how many attempts to send it have failed
 * @param lastError what went wrong last
 * @param createdAt when it was stored
 * @param since since when it is stalled, blocked, dead or archived
 * @param retryAt when it is tried again
 * @param waitingBehind how many messages wait behind it, counted up to
 * {@value StuckMessage#MAX_COUNT}; {@code null} where that is not counted
 */
public record MessageDescriptor(String messageId, String name, String partitionKey, String exchange, String routingKey,
		String state, int attempts, @Nullable String lastError, Instant createdAt, @Nullable Instant since,
		@Nullable Instant retryAt, @Nullable Integer waitingBehind) {

	static MessageDescriptor of(StuckMessage stuck, MessageState state) {
		return of(stuck.message(), state, stuck.failedAt(), stuck.retryAt(), stuck.waitingBehind());
	}

	static MessageDescriptor of(DeadLetter dead) {
		return of(dead.message(), MessageState.DEAD, dead.deadAt(), null, null);
	}

	static MessageDescriptor of(ArchivedMessage archived) {
		return of(archived.message(), MessageState.ARCHIVED, archived.publishedAt(), null, null);
	}

	static MessageDescriptor of(MessageSummary message, MessageState state) {
		return of(message, state, null, null, null);
	}

	static MessageDescriptor of(MessageSummary message, MessageState state, @Nullable Instant since,
			@Nullable Instant retryAt, @Nullable Integer waitingBehind) {
		return new MessageDescriptor(message.messageId(), message.name(), message.partitionKey(), message.exchange(),
				message.routingKey(), Names.of(state), message.attempts(), message.lastError(), message.createdAt(),
				since, retryAt, waitingBehind);
	}

}
