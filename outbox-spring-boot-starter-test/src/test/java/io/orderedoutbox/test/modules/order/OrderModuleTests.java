/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test.modules.order;

import io.orderedoutbox.test.AutoConfigureOutboxTest;
import io.orderedoutbox.test.OutboxRelayDriver;
import io.orderedoutbox.test.PublishedMessages;
import io.orderedoutbox.test.modules.stock.Stock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.modulith.test.ApplicationModuleTest;
import org.springframework.modulith.test.AssertablePublishedEvents;
import org.springframework.modulith.test.Scenario;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The outbox in memory in the test of a module.
 */
@Tag("unit")
@ApplicationModuleTest
@AutoConfigureOutboxTest
class OrderModuleTests {

	@Autowired
	private OrderManagement orders;

	@Test
	void whatTheModulePublishesIsInTheOutbox(PublishedMessages messages, OutboxRelayDriver relay,
			AssertablePublishedEvents events) {
		this.orders.complete("A-1");
		assertThat(messages).published(OrderCompleted.class).withKey("A-1").named("order.completed").once();
		assertThat(events).contains(OrderCompleted.class).matching((event) -> event.orderId().equals("A-1"));
		relay.drain();
		assertThat(messages.arrived()).inOrder(new OrderCompleted("A-1"));
	}

	@Test
	@Transactional
	void aTestThatIsRolledBackSeesItToo(PublishedMessages messages) {
		this.orders.complete("A-2");
		assertThat(messages.pending()).inOrder(new OrderCompleted("A-2"));
	}

	@Test
	void aScenarioCommits(Scenario scenario, PublishedMessages messages) {
		scenario.stimulate(() -> this.orders.complete("A-3"))
			.andWaitForEventOfType(OrderCompleted.class)
			.toArriveAndVerify((event) -> assertThat(messages.committed()).inOrder(event));
	}

	@Test
	void theOtherModuleIsNotThere(@Autowired ApplicationContext context) {
		assertThat(context.getBeanProvider(Stock.class).stream()).isEmpty();
	}

}
