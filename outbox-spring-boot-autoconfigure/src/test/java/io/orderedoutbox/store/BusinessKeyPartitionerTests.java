/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.store;

import io.orderedoutbox.contract.PartitionerContract;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The example of a partitioner by a part of the key keeps the contract, and keeps
 * together what belongs together.
 */
@Tag("unit")
class BusinessKeyPartitionerTests extends PartitionerContract {

	@Override
	protected Partitioner partitioner() {
		return new BusinessKeyPartitioner();
	}

	@Override
	protected String key(int number) {
		return "customer-%d:order-%d".formatted(number / 2, number);
	}

	@Test
	void keysOfTheSameCustomerAreInTheSamePartition() {
		int partition = partitioner().partition("customer-7:order-1", 64);
		assertThat(partitioner().partition("customer-7:order-2", 64)).isEqualTo(partition);
		assertThat(partitioner().partition("customer-7", 64)).isEqualTo(partition);
	}

}
