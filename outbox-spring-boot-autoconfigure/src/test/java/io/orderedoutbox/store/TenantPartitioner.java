/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.store;

import io.orderedoutbox.jdbc.Partitions;

/**
 * Gives each tenant a few neighbouring partitions of its own choice: the example of
 * docs/payloads.md. Keys are {@code tenant/key}. A tenant with a large backlog then
 * delays only tenants that share its partitions.
 *
 * @param partitionsOfTenant how many partitions a tenant has
 */
record TenantPartitioner(int partitionsOfTenant) implements Partitioner {

	@Override
	public int partition(String partitionKey, int partitions) {
		int end = partitionKey.indexOf('/');
		if (end < 0) {
			return Partitions.crc32(partitionKey, partitions);
		}
		int first = Partitions.crc32(partitionKey.substring(0, end), partitions);
		int own = Math.min(this.partitionsOfTenant, partitions);
		return (first + Partitions.crc32(partitionKey, own)) % partitions;
	}

}
