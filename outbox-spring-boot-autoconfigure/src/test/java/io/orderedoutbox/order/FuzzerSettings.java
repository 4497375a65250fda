/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.order;

import java.time.Duration;

/**
 * How hard the fuzzer tries.
 *
 * @param seed decides everything that threads and servers leave open
 * @param writers number of threads that write
 * @param relays number of applications that relay, each with connections of its own
 * @param workers number of workers of each
 * @param batchSize greatest number of messages in a claim
 * @param keys number of partition keys
 * @param messages how many messages are published, those rolled back included
 * @param backlog how many messages may wait in the outbox before writers pause
 * @param longestPause how long a transaction may stay open after it has written
 * @param mishaps whether connections are cut and killed and messages are unroutable now
 * and then
 * @param pipelinedKeys whether the messages of a key are sent without waiting for one
 * another; then none is unroutable, because that is where their order ends
 * @param longestDelay for how long a message may be delayed, zero if none is
 * @param timeBound how long everything may take
 */
record FuzzerSettings(long seed, int writers, int relays, int workers, int batchSize, int keys, int messages,
		int backlog, Duration longestPause, boolean mishaps, boolean pipelinedKeys, Duration longestDelay,
		Duration timeBound) {

	FuzzerSettings withSeed(long newSeed) {
		return new FuzzerSettings(newSeed, this.writers, this.relays, this.workers, this.batchSize, this.keys,
				this.messages, this.backlog, this.longestPause, this.mishaps, this.pipelinedKeys, this.longestDelay,
				this.timeBound);
	}

}
