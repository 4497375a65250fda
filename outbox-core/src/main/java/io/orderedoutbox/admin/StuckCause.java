package io.orderedoutbox.admin;

import org.jspecify.annotations.Nullable;

/**
 * Why partition keys are stuck, and where their first messages were to go.
 *
 * @param exchange the exchange that these messages go to
 * @param error what went wrong last, {@code null} if nothing was tried
 * @param keys how many partition keys are stuck for it; a message without a key counts
 * like a key, and so does, in unordered mode, every message
 */
public record StuckCause(String exchange, @Nullable String error, long keys) {

}
