/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import io.orderedoutbox.test.PublishedMessage.State;
import io.orderedoutbox.test.shop.OrderPlaced;
import io.orderedoutbox.test.shop.OrderShipped;
import io.orderedoutbox.test.shop.Orders;
import io.orderedoutbox.test.shop.ShopApplication;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.transaction.TestTransaction;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests whose transaction Spring rolls back at their end.
 */
@Tag("unit")
@OutboxTest
@ContextConfiguration(classes = ShopApplication.class)
@Import(Orders.class)
@Transactional
class RolledBackTestTests {

	@Autowired
	private Orders orders;

	@Autowired
	private OutboxRelayDriver relay;

	@RepeatedTest(2)
	void whatIsPublishedIsSeenWithoutACommit(PublishedMessages messages) {
		assertThat(messages).publishedNothing();
		this.orders.place(42);
		assertThat(messages).published(OrderPlaced.class).withKey(42).withJson("{ \"orderId\": 42 }").once();
		assertThat(messages.pending()).inOrder(new OrderPlaced(42));
		assertThat(messages.committed()).publishedNothing();
		assertThat(messages.toList()).extracting(PublishedMessage::state).containsExactly(State.PENDING);
		assertThat(this.relay.drain().totals().claimed()).isZero();
	}

	@Test
	void aTestThatCommitsAfterAllSeesItArrive(PublishedMessages messages) {
		this.orders.place(1);
		TestTransaction.flagForCommit();
		TestTransaction.end();
		TestTransaction.start();
		this.orders.ship(1);
		this.relay.drain();
		assertThat(messages.arrived()).inOrder(new OrderPlaced(1));
		assertThat(messages.pending()).inOrder(new OrderShipped(1));
		assertThat(messages).inOrder(new OrderPlaced(1), new OrderShipped(1));
	}

}
