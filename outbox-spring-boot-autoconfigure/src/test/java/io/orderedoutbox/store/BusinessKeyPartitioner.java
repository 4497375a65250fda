/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.store;

import io.orderedoutbox.jdbc.Partitions;

/**
 * Puts keys with the same beginning into one partition: the example of docs/payloads.md.
 * The customer decides about the partition of {@code customer-7:order-1}, so that one
 * consumer of a partition gets all that concerns the customer. Messages of different keys
 * have no order among each other for all that.
 */
final class BusinessKeyPartitioner implements Partitioner {

	@Override
	public int partition(String partitionKey, int partitions) {
		int end = partitionKey.indexOf(':');
		return Partitions.crc32((end < 0) ? partitionKey : partitionKey.substring(0, end), partitions);
	}

}
