package io.orderedoutbox.admin;

import java.time.Instant;

/**
 * A message that is no longer sent, until an operator says otherwise.
 *
 * @param message the message
 * @param deadAt when it was given up
 */
public record DeadLetter(MessageSummary message, Instant deadAt) {

}
