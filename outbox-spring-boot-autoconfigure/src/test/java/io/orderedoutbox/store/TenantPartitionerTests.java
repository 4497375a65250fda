/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.store;

import java.util.stream.IntStream;

import io.orderedoutbox.contract.PartitionerContract;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The example of a partitioner by tenant keeps the contract, and a tenant has few
 * partitions.
 */
@Tag("unit")
class TenantPartitionerTests extends PartitionerContract {

	@Override
	protected Partitioner partitioner() {
		return new TenantPartitioner(4);
	}

	@Override
	protected String key(int number) {
		return "tenant-%d/order-%d".formatted(number % 500, number);
	}

	@Test
	void theKeysOfATenantAreInFewPartitions() {
		assertThat(IntStream.range(0, 1000)
			.map((number) -> partitioner().partition("shop/order-" + number, 64))
			.distinct()).hasSize(4);
		assertThat(partitioner().partition("shop/order-1", 2)).isBetween(0, 1);
	}

}
