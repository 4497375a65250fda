/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import io.orderedoutbox.test.AutoConfigureOutboxTest.Part;
import io.orderedoutbox.test.PublishedMessage.State;
import io.orderedoutbox.test.shop.Orders;
import io.orderedoutbox.test.shop.ShopApplication;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A message that waits for an operator after its last attempt.
 */
@Tag("unit")
@OutboxTest(properties = { "outbox.ordered=true", "outbox.sender=in-process", "outbox.retry.max-attempts=1",
		"outbox.retry.on-exhausted=block" })
@AutoConfigureOutboxTest(replace = Part.STORE)
@ContextConfiguration(classes = ShopApplication.class)
@Import({ Orders.class, DeadLetterTests.Warehouse.class })
class BlockedMessageTests {

	@Test
	void aMessageThatIsBlockedSaysSo(@Autowired Orders orders, PublishedMessages messages, OutboxRelayDriver relay) {
		orders.place(1);
		orders.ship(1);
		relay.drain();
		assertThat(messages.arrived()).publishedNothing();
		assertThat(messages.toList()).extracting(PublishedMessage::state)
			.containsExactly(State.BLOCKED, State.COMMITTED);
	}

}
