package io.orderedoutbox.order;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;

/**
 * A message that is unroutable from time to time.
 *
 * @param key what it is about
 * @param version of how many commits to its key it is the latest, zero if nobody counts
 */
@OutboxMessage("fuzz.flaky")
record Flaky(@PartitionKey String key, long version) {

}
