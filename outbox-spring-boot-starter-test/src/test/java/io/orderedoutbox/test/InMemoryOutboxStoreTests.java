/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import io.orderedoutbox.contract.OutboxStoreContract;
import io.orderedoutbox.contract.StoreUnderTest;
import org.junit.jupiter.api.Tag;

/**
 * The outbox in memory keeps what the relay and publishers expect of any store.
 */
@Tag("unit")
class InMemoryOutboxStoreTests extends OutboxStoreContract {

	@Override
	protected StoreUnderTest create() {
		return new InMemoryStoreUnderTest();
	}

}
