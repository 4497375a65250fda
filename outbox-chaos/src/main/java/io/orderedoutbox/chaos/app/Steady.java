package io.orderedoutbox.chaos.app;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;

/**
 * A message to the first exchange.
 *
 * @param key what it is about
 * @param version of how many commits to its key it is the latest, zero if nobody counts
 * @param remark makes it as long as messages are
 */
@OutboxMessage("chaos.steady")
record Steady(@PartitionKey String key, long version, String remark) {

}
