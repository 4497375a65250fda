package io.orderedoutbox.store;

import java.time.Duration;

/**
 * A message whose sending failed for a reason of its own.
 *
 * @param id the position of the message
 * @param error what went wrong
 * @param retryIn how long to wait before the next attempt, counted by the database
 */
public record FailedMessage(long id, String error, Duration retryIn) {

}
