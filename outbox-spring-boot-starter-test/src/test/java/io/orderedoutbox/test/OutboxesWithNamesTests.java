/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import io.orderedoutbox.test.shop.OrderPlaced;
import io.orderedoutbox.test.shop.Orders;
import io.orderedoutbox.test.shop.ShopApplication;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An outbox in memory, beside one with a name that a relay would drain once, and end the
 * process. This module has no Micrometer, without which outboxes with names work, too.
 */
@Tag("unit")
@SpringBootTest(classes = ShopApplication.class, webEnvironment = WebEnvironment.NONE,
		properties = { "outbox.relay.mode=once", "outbox.named.audit.relay.mode=once",
				"outbox.named.audit.jdbc.initialize-schema=always",
				"outbox.named.audit.jdbc.table-prefix=outbox_audit_" })
@AutoConfigureOutboxTest
class OutboxesWithNamesTests {

	@Test
	void noRelayEndsTheProcess(@Autowired Orders orders, PublishedMessages messages, OutboxRelayDriver relay) {
		orders.place(42);
		relay.drain();
		assertThat(messages.arrived()).inOrder(new OrderPlaced(42));
	}

}
