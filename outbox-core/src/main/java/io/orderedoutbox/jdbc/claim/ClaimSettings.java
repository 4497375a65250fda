/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.time.Duration;

import org.springframework.util.unit.DataSize;

/**
 * How much a claim takes, and how long it may be silent.
 *
 * @param ordered whether partition keys bind messages to an order
 * @param batchSize greatest number of messages in a claim
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

	// Rows that are not sent, because their keys are parked, hide what is behind them
	private static final int LOOK_AHEAD = 2_000;

	/** How many partitions a claim takes at most. */
	int maxPartitions() {
		return Math.max(1, this.batchSize / WORTH_A_PARTITION);
	}

	/** How many messages of each of some partitions a batch takes. */
	int quota(int partitions) {
		return Math.max(1, this.batchSize / partitions);
	}

	/** How many rows of a partition are read. */
	static int rows(int quota) {
		return Math.max(WORTH_A_PARTITION, quota);
	}

	/**
	 * How many rows of each of some partitions are read where parked keys are in the way.
	 */
	static int lookAhead(int quota, int partitions) {
		return Math.max(rows(quota), LOOK_AHEAD / Math.max(1, partitions));
	}

	/**
	 * The largest payload that is read with its message: so that all of a claim are never
	 * more than may be read at once.
	 */
	long maxInlinePayload() {
		return Math.max(1, this.batchBytes.toBytes() / (2L * this.batchSize + LOOK_AHEAD));
	}

	/**
	 * The key that binds a message to an order.
	 * @return the key, empty if there is none
	 */
	String bindingKey(String partitionKey) {
		return this.ordered ? partitionKey : "";
	}

}
