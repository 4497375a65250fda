/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import io.orderedoutbox.relay.OneShotResult.Ending;
import io.orderedoutbox.relay.OneShotResult;
import io.orderedoutbox.test.shop.Orders;
import io.orderedoutbox.test.shop.ShopApplication;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an application has configured for its own relay and database, and what a test
 * without them does with it.
 */
@Tag("unit")
@OutboxTest(properties = { "outbox.relay.mode=once", "outbox.relay.pool-size=3", "outbox.relay.once.limit=1",
		"outbox.relay.once.time-limit=1ms" })
@ContextConfiguration(classes = ShopApplication.class)
@Import(Orders.class)
class ApplicationPropertiesTests {

	@Test
	void theRelayHasNoLimits(@Autowired Orders orders, OutboxRelayDriver relay) {
		orders.place(1);
		orders.place(2);
		orders.place(3);
		OneShotResult result = relay.drain();
		assertThat(result.ending()).isEqualTo(Ending.DRAINED);
		assertThat(result.totals().published()).isEqualTo(3);
	}

}
