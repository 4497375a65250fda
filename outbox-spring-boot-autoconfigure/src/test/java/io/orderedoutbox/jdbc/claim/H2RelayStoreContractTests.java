/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import io.orderedoutbox.contract.RelayStoreContract;
import io.orderedoutbox.contract.StoreUnderTest;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.servers.Database;
import org.junit.jupiter.api.Tag;

/**
 * {@link JdbcRelayStore} keeps what the outbox expects of a store, also on H2.
 */
@Tag("order")
class H2RelayStoreContractTests extends RelayStoreContract {

	@Override
	protected StoreUnderTest create() {
		return new JdbcStoreUnderTest(new SmallOutbox(new OutboxTables(Database.h2(""))));
	}

}
