package io.orderedoutbox.jdbc.claim;

import java.time.Duration;

import org.springframework.util.unit.DataSize;

/**
 * How much a claim takes, and how long it may be silent.
 *
 * @param ordered whether partition keys bind messages to an order
 * @param batchSize greatest number of messages in a claim; messages that are tried again
 * come on top of it, up to a quarter of it
 * @param batchBytes greatest size of their payloads together; a single larger message is
 * a claim of its own
 * @param lockTimeout how long the database waits for a sign of life from the owner of a
 * claim before it frees the locks; for hosts that vanish without closing their connection
 * @param pollInterval how often an instance looks at all partitions by itself; zero for
 * each time that it knows of nothing to do
 */
public record ClaimSettings(boolean ordered, int batchSize, DataSize batchBytes, Duration lockTimeout,
		Duration pollInterval) {

	// A claim of many partitions with a few messages of each costs more than it brings
	private static final int WORTH_A_PARTITION = 8;

	// However small a batch is, so many rows are looked at behind what waits: or a burst
	// of
	// one key would hide its neighbours until as many batches were sent
	private static final int LOOK_AHEAD = 1_000;

	/** How many partitions a claim takes at most. */
	int maxPartitions() {
		return Math.max(1, this.batchSize / WORTH_A_PARTITION);
	}

	/** How many rows of each of some partitions are looked at behind what waits there. */
	int lookAhead(int partitions) {
		return LOOK_AHEAD / partitions;
	}

	/**
	 * The largest payload that is read with its message: so that all of a claim are never
	 * more than may be read at once.
	 */
	long maxInlinePayload() {
		return Math.max(1, this.batchBytes.toBytes() / Math.max(this.batchSize, LOOK_AHEAD + this.batchSize / 2));
	}

	/**
	 * The key that binds a message to an order.
	 * @return the key, empty if there is none
	 */
	String bindingKey(String partitionKey) {
		return this.ordered ? partitionKey : "";
	}

}
