/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.store;

/**
 * Decides to which partition of the outbox a partition key belongs. Declare a bean of
 * this type to replace the default, which is {@code CRC32(key) % partitions}.
 * <p>
 * The order of a key is kept within its partition. So the same key must belong to the
 * same partition on every instance, and for as long as there are messages of the key in
 * the outbox.
 */
@FunctionalInterface
public interface Partitioner {

	/**
	 * Return the partition of a key.
	 * @param partitionKey the key, never empty: a message without a key goes to any
	 * partition
	 * @param partitions how many partitions there are
	 * @return the partition, from 0 to {@code partitions - 1}
	 */
	int partition(String partitionKey, int partitions);

}
