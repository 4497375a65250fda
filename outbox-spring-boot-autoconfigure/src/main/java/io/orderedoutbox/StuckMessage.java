package io.orderedoutbox;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A message that has failed and holds its partition key.
 *
 * @param message the message
 * @param failedAt when it last failed or was put off
 * @param retryAt when it is tried again, {@code null} if it is blocked
 * @param waitingBehind how many messages wait behind it in its key, counted up to
 * {@value #MAX_COUNT}
 */
public record StuckMessage(MessageSummary message, Instant failedAt, @Nullable Instant retryAt, int waitingBehind) {

	/**
	 * Where counting ends: as many wait, or more.
	 */
	public static final int MAX_COUNT = 1000;

}
