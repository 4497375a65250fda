/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.stream.IntStream;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKeyStamp;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.testing.OrderLost;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.RelayRecorder;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Several workers, on one or several instances, over one outbox.
 */
@Tag("order")
class SharedWorkTests {

	private static final int KEYS = 50;

	@Test
	void threeInstancesRelayEachMessageOnceAndKeepTheOrderOfEachKey() {
		Database database = Servers.database().fresh();
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication first = instance(database, queue).start();
				OutboxApplication second = instance(database, queue).start();
				OutboxApplication third = instance(database, queue).start()) {
			OutboxApplication[] instances = { first, second, third };
			for (int version = 1; version <= 60; version++) {
				publishVersion(instances[version % 3], version);
			}
			first.awaitEmpty();
			queue.await(60 * KEYS);
			assertThat(queue.arrivals()).hasSize(60 * KEYS);
			for (int i = 0; i < KEYS; i++) {
				assertThat(queue.versionsOf("order-" + i))
					.containsExactlyElementsOf(IntStream.rangeClosed(1, 60).boxed().toList());
			}
		}
	}

	@Test
	void workersThatShareOneConnectionDoNotWaitForOneAnotherInACircle() {
		Database database = Servers.database().fresh();
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication writing = instance(database, queue).withoutRelay().start();
				OutboxApplication relaying = instance(database, queue).with("outbox.relay.workers", 4)
					.with("outbox.relay.batch-size", 10)
					.with("spring.datasource.hikari.maximum-pool-size", 1)
					.with("spring.datasource.hikari.connection-timeout", 60_000)
					.start()) {
			OutboxRelay relay = relaying.bean(OutboxRelay.class);
			relay.stop();
			for (int version = 1; version <= 20; version++) {
				publishVersion(writing, version);
			}
			relay.start();
			// In a circle they would wait for as long as the pool lets them
			writing.awaitEmpty();
			queue.await(20 * KEYS);
			assertThat(relay.outage()).isNull();
		}
	}

	@Test
	void twoInstancesShareABacklog() {
		Database database = Servers.database().fresh();
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication first = instance(database, queue).with("outbox.relay.batch-size", 10).start();
				OutboxApplication second = instance(database, queue).with("outbox.relay.batch-size", 10).start()) {
			first.bean(OutboxRelay.class).stop();
			second.bean(OutboxRelay.class).stop();
			for (int version = 1; version <= 60; version++) {
				publishVersion(first, version);
			}
			first.bean(OutboxRelay.class).start();
			second.bean(OutboxRelay.class).start();
			first.awaitEmpty();
			queue.await(60 * KEYS);
			Awaitility.await()
				.until(() -> first.bean(RelayRecorder.class).published().size()
						+ second.bean(RelayRecorder.class).published().size() == 60 * KEYS);
			assertThat(first.bean(RelayRecorder.class).published()).isNotEmpty();
			assertThat(second.bean(RelayRecorder.class).published()).isNotEmpty();
		}
	}

	@Test
	void nobodyPublishesTheSecondMessageOfAKeyWhileTheFirstIsUnconfirmed() {
		Database database = Servers.database().fresh();
		try (TestQueue queue = TestQueue.forEverything();
				TcpProxy broker = TcpProxy.toBroker();
				OutboxApplication slow = patient(database, queue).brokerThrough(broker)
					.with("outbox.relay.workers", 1)
					.start();
				OutboxApplication fast = patient(database, queue).with("outbox.relay.workers", 4).start()) {
			fast.bean(OutboxRelay.class).stop();
			slow.publish(new OrderPlaced("warm-up", 1));
			slow.awaitEmpty();
			broker.holdReplies();
			slow.publish(new OrderPlaced("a", 1));
			queue.await(2);
			fast.bean(OutboxRelay.class).start();
			for (int version = 1; version <= 20; version++) {
				fast.publish(new OrderPlaced("a", version + 1), new OrderPlaced("b", version));
				queue.await(version + 2);
			}
			assertThat(queue.versionsOf("a")).containsExactly(1);
			assertThat(queue.versionsOf("b")).hasSize(20);
			broker.thaw();
			fast.awaitEmpty();
			queue.await(42);
			assertThat(queue.versionsOf("a")).containsExactlyElementsOf(IntStream.rangeClosed(1, 21).boxed().toList());
			assertThat(queue.arrivals()).hasSize(42);
		}
	}

	@Test
	void aKeyWithAFailingHeadHoldsOnlyItself() {
		Database database = Servers.database().fresh();
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication first = instance(database, queue).with("outbox.relay.workers", 3).start();
				OutboxApplication second = instance(database, queue).with("outbox.relay.workers", 3).start()) {
			first.publish(new OrderLost("order-0", 0));
			for (int version = 1; version <= 20; version++) {
				publishVersion((version % 2 == 0) ? first : second, version);
			}
			first.awaitDepth(21);
			queue.await(20 * (KEYS - 1));
			assertThat(queue.versionsOf("order-0")).isEmpty();
			queue.bind("order.lost");
			first.awaitEmpty();
			queue.await(20 * KEYS + 1);
			assertThat(queue.versionsOf("order-0")).hasSize(21).isSorted();
		}
	}

	@Test
	void messagesWithoutAKeyDoNotWaitForOneAnother() {
		try (TestQueue queue = TestQueue.forEverything();
				TcpProxy broker = TcpProxy.toBroker();
				OutboxApplication application = patient(Servers.database().fresh(), queue).brokerThrough(broker)
					// A second worker would have to open a channel, which the broker does
					// not answer; and a claim that begins while the messages are
					// committed may miss some partitions
					.with("outbox.relay.workers", 1)
					.with("outbox.partitions", 1)
					.start()) {
			application.publish(new OrderPlaced("warm-up", 1));
			application.awaitEmpty();
			broker.holdReplies();
			application.inTransaction((outbox) -> {
				for (int version = 1; version <= 10; version++) {
					outbox.publish(new OrderPlaced("none", version), PartitionKeyStamp.none());
					outbox.publish(new OrderPlaced("a", version));
				}
			});
			queue.await(12);
			assertThat(queue.versionsOf("none")).hasSize(10);
			assertThat(queue.versionsOf("a")).containsExactly(1);
			broker.thaw();
			application.awaitEmpty();
		}
	}

	@Test
	void inUnorderedModeMessagesNeedNoKeyAndDoNotWaitForOthersOfTheSame() {
		try (TestQueue queue = TestQueue.forEverything();
				TcpProxy broker = TcpProxy.toBroker();
				OutboxApplication application = patient(Servers.database().fresh(), queue).brokerThrough(broker)
					.with("outbox.ordered", false)
					.with("outbox.relay.workers", 1)
					.with("outbox.partitions", 1)
					.start()) {
			application.publish(new OrderPlaced("warm-up", 1));
			application.awaitEmpty();
			broker.holdReplies();
			application.publish(IntStream.rangeClosed(1, 10).mapToObj((i) -> new OrderPlaced("a", i)).toArray());
			queue.await(11);
			assertThat(queue.versionsOf("a")).hasSize(10);
			broker.thaw();
			application.publish(new Notice("no key"));
			queue.await(12);
			application.awaitEmpty();
		}
	}

	@Test
	void inUnorderedModeAFailingMessageHoldsNothing() {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = instance(Servers.database().fresh(), queue)
					.with("outbox.ordered", false)
					.start()) {
			application.publish(new OrderLost("a", 1), new OrderPlaced("a", 2), new OrderPlaced("a", 3));
			queue.await(2);
			application.awaitDepth(1);
			assertThat(queue.firstArrivals()).hasSize(2);
		}
	}

	@Test
	void inUnorderedModeAMessageTakesAnyStripeThatIsFree() {
		Database database = Servers.database().fresh();
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication holder = OutboxApplication.on(database)
					.withoutRelay()
					.with("outbox.ordered", false)
					.start();
				OutboxApplication application = instance(database, queue).with("outbox.ordered", false).start()) {
			holder.transaction().executeWithoutResult((status) -> {
				int stripes = holder.jdbc()
					.sql("SELECT id FROM outbox_stripe WHERE id > 0 FOR UPDATE")
					.query(Integer.class)
					.list()
					.size();
				assertThat(stripes).isEqualTo(63);
				inAnotherThread(() -> application.publish(new OrderPlaced("a", 1)));
				queue.await(1);
			});
		}
	}

	private static void inAnotherThread(Runnable task) {
		Thread thread = new Thread(task);
		thread.start();
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> !thread.isAlive());
	}

	private static Builder instance(Database database, TestQueue queue) {
		return OutboxApplication.on(database)
			.sendingTo(queue)
			.with(RelayRecorder.class)
			.with("outbox.relay.batch-size", 100)
			.with("outbox.relay.poll-interval", "50ms")
			.with("outbox.retry.initial-interval", "100ms")
			.with("outbox.retry.max-interval", "200ms");
	}

	private static Builder patient(Database database, TestQueue queue) {
		// A batch that hears nothing for four times as long is suspended
		return instance(database, queue).with("outbox.relay.batch-time", "10s")
			.with("outbox.relay.confirm-timeout", "30s")
			.with("outbox.relay.lock-timeout", "60s");
	}

	private static void publishVersion(OutboxApplication instance, int version) {
		instance.publish(IntStream.range(0, KEYS).mapToObj((i) -> new OrderPlaced("order-" + i, version)).toArray());
	}

	@OutboxMessage("test.notice")
	record Notice(String text) {

	}

}
