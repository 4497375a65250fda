/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import io.orderedoutbox.listen.OutboxListener;
import io.orderedoutbox.test.AutoConfigureOutboxTest.Part;
import io.orderedoutbox.test.PublishedMessage.State;
import io.orderedoutbox.test.shop.OrderPlaced;
import io.orderedoutbox.test.shop.OrderShipped;
import io.orderedoutbox.test.shop.Orders;
import io.orderedoutbox.test.shop.ShopApplication;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A message that has spent its last attempt.
 */
@Tag("unit")
@OutboxTest(properties = { "outbox.ordered=true", "outbox.sender=in-process", "outbox.retry.max-attempts=1",
		"outbox.retry.on-exhausted=dead-letter" })
@AutoConfigureOutboxTest(replace = Part.STORE)
@ContextConfiguration(classes = ShopApplication.class)
@Import({ Orders.class, DeadLetterTests.Warehouse.class })
class DeadLetterTests {

	@Test
	void aMessageThatHasDiedSaysSo(@Autowired Orders orders, PublishedMessages messages, OutboxRelayDriver relay) {
		orders.place(1);
		orders.ship(1);
		relay.drain();
		assertThat(messages.arrived()).inOrder(new OrderShipped(1));
		assertThat(messages.toList()).extracting(PublishedMessage::state)
			.containsExactly(State.DEAD_LETTER, State.ARRIVED);
		assertThat(messages.toList().get(0)).asString().contains("dead letter");
	}

	/**
	 * A consumer that refuses orders.
	 */
	static class Warehouse {

		@OutboxListener
		void on(OrderPlaced event) {
			throw new IllegalStateException("closed");
		}

		@OutboxListener
		void on(OrderShipped event) {
		}

	}

}
