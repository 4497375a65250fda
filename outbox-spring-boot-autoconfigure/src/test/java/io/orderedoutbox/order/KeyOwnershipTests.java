/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.order;

import java.time.Duration;
import java.util.stream.IntStream;

import io.orderedoutbox.PartitionKeyStamp;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.testing.OrderLost;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.transaction.CannotCreateTransactionException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two instances and one key: what the second may do while the first has a message of it
 * in flight, and what becomes of a first one that does not know that it is the first no
 * longer.
 */
@Tag("order")
@Timeout(90)
class KeyOwnershipTests {

	private final Database database = Servers.database().fresh();

	private final TcpProxy toDatabase = TcpProxy.to(this.database);

	private final TcpProxy toBroker = TcpProxy.toBroker();

	private TestQueue queue;

	private OutboxApplication first;

	@BeforeEach
	void start() {
		this.queue = TestQueue.bound("order.placed");
		this.first = instance().databaseThrough(this.toDatabase).brokerThrough(this.toBroker).start();
		this.first.publish(new OrderPlaced("warm-up", 1));
		this.queue.await(1);
		this.first.awaitEmpty();
	}

	@AfterEach
	void stop() {
		this.toBroker.thaw();
		this.first.close();
		this.toBroker.close();
		this.toDatabase.close();
		this.queue.close();
	}

	private OutboxApplication.Builder instance() {
		return OutboxApplication.on(this.database)
			.sendingTo(this.queue)
			// A second worker could claim other keys, and wait for its channel on the
			// same held connection
			.with("outbox.relay.workers", 1)
			.with("outbox.relay.poll-interval", "20ms")
			.with("outbox.relay.confirm-timeout", "30s")
			// After some batch times without a confirm another instance may repeat it
			.with("outbox.relay.batch-time", "10s")
			.with("outbox.relay.lock-timeout", "60s");
	}

	private void publishAndLoseConfirm() {
		this.toBroker.holdReplies();
		this.first.publish(IntStream.rangeClosed(1, 5).mapToObj((version) -> new OrderPlaced("a", version)).toArray());
		this.queue.await(2);
	}

	@Test
	void nothingOfAKeyLeavesAnywhereWhileAMessageOfItIsUnconfirmed() {
		publishAndLoseConfirm();
		try (OutboxApplication second = instance().start()) {
			second.publish(new OrderPlaced("a", 6), new OrderPlaced("b", 1));
			this.queue.await(3);
			assertThat(this.queue.versionsOf("b")).containsExactly(1);
			Awaitility.await()
				.during(Duration.ofMillis(500))
				.atMost(Duration.ofSeconds(20))
				.until(() -> this.queue.versionsOf("a").size() == 1);
			this.toBroker.thaw();
			second.awaitEmpty();
			this.queue.await(8);
			assertThat(this.queue.versionsOf("a")).containsExactly(1, 2, 3, 4, 5, 6);
			assertThat(this.queue.arrivals()).as("nothing twice").hasSize(8);
		}
	}

	@Test
	void aWorkerThatHasLostItsKeysSendsNothingNewOfThem() {
		publishAndLoseConfirm();
		try (OutboxApplication second = instance().start()) {
			this.toDatabase.stop();
			second.publish(new OrderPlaced("a", 6));
			second.awaitEmpty();
			this.toBroker.thaw();
			this.toDatabase.start();
		}
		// The worker ends its batch before it claims what is new
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.ignoreExceptionsInstanceOf(CannotCreateTransactionException.class)
			.untilAsserted(() -> this.first.publish(new OrderPlaced("a", 7)));
		this.first.awaitEmpty();
		// A confirm may come before the message does
		Awaitility.await().until(() -> this.queue.versionsOf("a").contains(7));
		assertThat(this.queue.versionsOf("a")).containsExactly(1, 2, 3, 4, 5, 6, 7);
		assertThat(this.queue.arrivals()).as("what was in flight arrives twice, and at most what was behind it")
			.hasSizeBetween(9, 13);
	}

	@Test
	void messagesWithoutAKeyArriveWhileOneOfThemIsHeld() {
		this.first.inTransaction((outbox) -> {
			outbox.publish(new OrderLost("held", 1), PartitionKeyStamp.none());
			outbox.publish(new OrderPlaced("free", 1), PartitionKeyStamp.none());
			outbox.publish(new OrderPlaced("free", 2), PartitionKeyStamp.none());
			outbox.publish(new OrderPlaced("free", 3), PartitionKeyStamp.none());
		});
		this.queue.await(4);
		assertThat(this.queue.versionsOf("free")).containsExactlyInAnyOrder(1, 2, 3);
		this.first.awaitDepth(1);
	}

}
