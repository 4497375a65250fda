/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import io.orderedoutbox.contract.OutboxStoreContract;
import io.orderedoutbox.contract.StoreUnderTest;
import io.orderedoutbox.jdbc.JdbcOutboxStore;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.servers.Database;
import org.junit.jupiter.api.Tag;

/**
 * {@link JdbcOutboxStore} keeps what the outbox expects of a store, also on H2.
 */
@Tag("order")
class H2OutboxStoreContractTests extends OutboxStoreContract {

	@Override
	protected StoreUnderTest create() {
		return new JdbcStoreUnderTest(new SmallOutbox(new OutboxTables(Database.h2(""))));
	}

}
