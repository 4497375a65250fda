/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import io.orderedoutbox.test.shop.OrderPlaced;
import io.orderedoutbox.test.shop.Orders;
import io.orderedoutbox.test.shop.ShopApplication;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.transaction.TestTransaction;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The outbox in memory in the transactions of JPA.
 */
@DataJpaTest
@AutoConfigureOutboxTest
@ContextConfiguration(classes = ShopApplication.class)
@Import(Orders.class)
class DataJpaSliceTests {

	@Test
	void theOutboxFollowsTheTransactionsOfJpa(@Autowired Orders orders, PublishedMessages messages,
			OutboxRelayDriver relay) {
		orders.place(42);
		assertThat(messages.pending()).inOrder(new OrderPlaced(42));
		TestTransaction.flagForCommit();
		TestTransaction.end();
		relay.drain();
		assertThat(messages.arrived()).inOrder(new OrderPlaced(42));
	}

}
