package io.orderedoutbox.admin;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A message that holds its partition key. It has failed; only if what had failed before
 * it was deleted by hand, or what is behind it has failed while it was not answered, it
 * has not.
 *
 * @param message the message
 * @param failedAt when it last failed or was put off; if it has not, since when it waits
 * @param retryAt when it is tried again, {@code null} if it is blocked
 * @param waitingBehind how many messages wait behind it in the lane of its key, counted
 * up to {@value #MAX_COUNT}; those that a relay has not moved there so far are not
 * counted
 */
public record StuckMessage(MessageSummary message, Instant failedAt, @Nullable Instant retryAt, int waitingBehind) {

	/**
	 * Where counting ends: as many wait, or more.
	 */
	public static final int MAX_COUNT = 1000;

}
