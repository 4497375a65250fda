/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import io.orderedoutbox.contract.OutboxStoreContract;
import io.orderedoutbox.contract.StoreUnderTest;
import io.orderedoutbox.jdbc.JdbcOutboxStore;
import org.junit.jupiter.api.Tag;

/**
 * {@link JdbcOutboxStore} keeps what the outbox expects of a store.
 */
@Tag("order")
class JdbcOutboxStoreContractTests extends OutboxStoreContract {

	@Override
	protected StoreUnderTest create() {
		return new JdbcStoreUnderTest(new SmallOutbox());
	}

}
