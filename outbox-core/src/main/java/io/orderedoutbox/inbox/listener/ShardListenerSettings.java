/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.time.Duration;
import java.util.concurrent.ThreadFactory;

import org.springframework.util.Assert;

/**
 * How the listeners of shards work.
 *
 * @param concurrency how many messages an instance processes at the same time for one
 * listener, at least 1
 * @param order what messages are processed in order of
 * @param threads makes the threads that process
 * @param balanceInterval pause between two looks at how many of the queues this instance
 * serves, to give up what is more than its share, or zero for none
 * @param retry what becomes of messages that fail
 */
public record ShardListenerSettings(int concurrency, Order order, ThreadFactory threads, Duration balanceInterval,
		ShardRetrySettings retry) {

	/**
	 * Create settings.
	 * @throws IllegalArgumentException if a value makes no sense
	 */
	public ShardListenerSettings {
		Assert.isTrue(concurrency >= 1, "'concurrency' must be at least 1");
		Assert.isTrue(!balanceInterval.isNegative(), "'balanceInterval' must not be negative");
	}

	/**
	 * What messages are processed in order of. Those of different ones are processed side
	 * by side, and go on while one fails.
	 */
	public enum Order {

		/**
		 * Partition: right whatever headers the messages have.
		 */
		PARTITION,

		/**
		 * Partition key, in the header {@code x-partition-key}. A message without it is
		 * in the order of its partition only among those without it.
		 */
		PARTITION_KEY

	}

}
