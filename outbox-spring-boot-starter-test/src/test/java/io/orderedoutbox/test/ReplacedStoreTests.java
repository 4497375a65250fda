/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.orderedoutbox.MessageIdStamp;
import io.orderedoutbox.inbox.Inbox;
import io.orderedoutbox.listen.OutboxListener;
import io.orderedoutbox.listen.ReceivedMessage;
import io.orderedoutbox.relay.OneShotResult.Totals;
import io.orderedoutbox.test.AutoConfigureOutboxTest.Part;
import io.orderedoutbox.test.shop.OrderPlaced;
import io.orderedoutbox.test.shop.OrderShipped;
import io.orderedoutbox.test.shop.Orders;
import io.orderedoutbox.test.shop.ShopApplication;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The outbox in memory, and the listeners of the application behind it: from the event to
 * its consumer without a server.
 */
@Tag("unit")
@OutboxTest(properties = { "outbox.ordered=true", "outbox.sender=in-process", "outbox.retry.initial-interval=1m" })
@AutoConfigureOutboxTest(replace = Part.STORE)
@ContextConfiguration(classes = ShopApplication.class)
@Import({ Orders.class, ReplacedStoreTests.Warehouse.class })
class ReplacedStoreTests {

	@Autowired
	private Orders orders;

	@Autowired
	private Warehouse warehouse;

	@Autowired
	private OutboxRelayDriver relay;

	@BeforeEach
	void open() {
		this.warehouse.taken.clear();
	}

	@Test
	void listenersTakeWhatTheRelayHandsOver(PublishedMessages messages) {
		this.orders.place(1);
		this.orders.ship(1);
		assertThat(this.warehouse.taken).isEmpty();
		this.relay.drain();
		assertThat(this.warehouse.taken).containsExactly(new OrderPlaced(1), new OrderShipped(1));
		assertThat(messages.arrived()).inOrder(new OrderPlaced(1), new OrderShipped(1));
	}

	@Test
	void whatAListenerRefusesIsTriedAgainWhenItsTimeHasCome(PublishedMessages messages) {
		this.warehouse.isClosed = true;
		this.orders.place(1);
		this.orders.ship(1);
		this.orders.ship(2);
		Totals totals = this.relay.drain().totals();
		assertThat(totals.failed()).isEqualTo(1);
		assertThat(messages.arrived()).inOrder(new OrderShipped(2));
		this.warehouse.isClosed = false;
		assertThat(this.relay.drain().totals().claimed()).isZero();
		this.relay.advance(Duration.ofMinutes(2));
		this.relay.drain();
		assertThat(messages.arrived()).inOrder(new OrderShipped(2), new OrderPlaced(1), new OrderShipped(1));
	}

	@Test
	void aConsumerProcessesEachMessageOnce() {
		UUID id = UUID.randomUUID();
		this.orders.publish(new OrderPlaced(1), MessageIdStamp.of(id));
		this.orders.publish(new OrderPlaced(1), MessageIdStamp.of(id));
		assertThat(this.relay.drain().totals().published()).isEqualTo(2);
		assertThat(this.warehouse.taken).containsExactly(new OrderPlaced(1));
	}

	/**
	 * A consumer in the same application.
	 */
	static class Warehouse {

		private final Inbox inbox;

		private final List<Object> taken = new ArrayList<>();

		private volatile boolean isClosed;

		Warehouse(Inbox inbox) {
			this.inbox = inbox;
		}

		@OutboxListener
		void on(OrderPlaced event, ReceivedMessage message) {
			this.inbox.process("warehouse", message.messageId().toString(), () -> {
				if (this.isClosed) {
					throw new IllegalStateException("closed");
				}
				this.taken.add(event);
			});
		}

		@OutboxListener
		void on(OrderShipped event) {
			this.taken.add(event);
		}

	}

}
