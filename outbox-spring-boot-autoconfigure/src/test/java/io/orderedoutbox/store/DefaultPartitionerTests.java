/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.store;

import io.orderedoutbox.contract.PartitionerContract;
import io.orderedoutbox.jdbc.Partitions;
import org.junit.jupiter.api.Tag;

/**
 * The partitioner that is there without further ado keeps the contract.
 */
@Tag("unit")
class DefaultPartitionerTests extends PartitionerContract {

	@Override
	protected Partitioner partitioner() {
		return Partitions::crc32;
	}

}
