/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.contract;

import io.orderedoutbox.contract.InMemoryStore.Fault;
import org.junit.jupiter.api.Tag;

/**
 * The contract of {@code OutboxStore} is not that of databases alone.
 */
@Tag("unit")
class InMemoryOutboxStoreTests extends OutboxStoreContract {

	@Override
	protected StoreUnderTest create() {
		return new InMemoryStore(Fault.NONE);
	}

}
