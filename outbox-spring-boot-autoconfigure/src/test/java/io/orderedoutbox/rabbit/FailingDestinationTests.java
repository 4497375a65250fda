/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

import com.rabbitmq.client.BuiltinExchangeType;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.servers.RequiresMySql;
import io.orderedoutbox.servers.RequiresRabbitMq;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.FailedMessage.Fate;
import io.orderedoutbox.store.StoredMessage;
import io.orderedoutbox.testing.OrderLost;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.RelayRecorder;
import io.orderedoutbox.testing.SenderTampering;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A destination that keeps failing, and what it may cost the others: a pause for itself,
 * and next to nothing for them.
 */
@RequiresRabbitMq
class FailingDestinationTests {

	private static final int KEYS = 300;

	private static final int TO_EACH = 3;

	private static final int GOOD = 9000;

	private static final int ROUNDS = 3;

	private final String missing = "missing-" + UUID.randomUUID();

	@Test
	@Tag("thorough")
	@RequiresMySql
	void aMissingExchangeWithHundredsOfKeysHardlySlowsTheOthers() {
		// The first round warms the machine up
		drain(false);
		drain(true);
		Duration without = Duration.ZERO;
		Duration with = Duration.ZERO;
		for (int round = 0; round < ROUNDS; round++) {
			// In turn, and in total: one round is short enough to be doubled by a pause
			// of the machine
			without = without.plus(drain(false));
			with = with.plus(drain(true));
		}
		double ratio = (double) without.toNanos() / with.toNanos();
		System.out.printf("RATIO of throughput beside a missing exchange: %.2f (%d ms, %d ms)%n", ratio,
				without.toMillis(), with.toMillis());
		assertThat(ratio).isGreaterThan(0.5);
	}

	private Duration drain(boolean beside) {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application(queue)
					.with("outbox.rabbit.routes[order.lost].exchange", this.missing)
					.start()) {
			OutboxRelay relay = application.bean(OutboxRelay.class);
			relay.stop();
			for (int version = 1; version <= TO_EACH; version++) {
				List<Object> events = new ArrayList<>();
				for (int i = 0; i < GOOD / TO_EACH; i++) {
					events.add(new OrderPlaced("order-" + i, version));
					if (beside && i % 3 == 0 && i < 3 * KEYS) {
						events.add(new OrderLost("lost-" + i, version));
					}
				}
				application.publish(events.toArray());
			}
			long start = System.nanoTime();
			relay.start();
			Awaitility.await()
				.atMost(Duration.ofSeconds(60))
				.pollInterval(Duration.ofMillis(5))
				.until(() -> queue.arrivals().size() >= GOOD);
			Duration taken = Duration.ofNanos(System.nanoTime() - start);
			application.awaitDepth(beside ? KEYS * TO_EACH : 0);
			assertThat(queue.firstArrivals()).hasSize(GOOD);
			if (beside) {
				relay.stop();
				assertThat(fates(application, Fate.POSTPONED)).isNotEmpty();
				assertThat(
						application.jdbc().sql("SELECT SUM(attempts) FROM outbox_message").query(Long.class).single())
					.isEqualTo(fates(application, Fate.RETRIED).size())
					.isLessThan(30);
			}
			return taken;
		}
	}

	@Test
	void whenTheExchangeIsThereEverythingArrivesInOrderAndSoon() throws IOException {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application(queue)
					.with("outbox.rabbit.routes[order.lost].exchange", this.missing)
					.start()) {
			for (int version = 1; version <= 4; version++) {
				List<Object> events = new ArrayList<>();
				for (int key = 0; key < 100; key++) {
					events.add(isLost(key, version) ? new OrderLost("order-" + key, version)
							: new OrderPlaced("order-" + key, version));
				}
				application.publish(events.toArray());
			}
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> fates(application, Fate.RETRIED).size() > 8);
			assertThat(fates(application, Fate.POSTPONED)).isNotEmpty();
			queue.channel().exchangeDeclare(this.missing, BuiltinExchangeType.FANOUT, false, true, null);
			queue.channel().queueBind(queue.exchange(), this.missing, "");
			long declared = System.nanoTime();
			application.awaitEmpty();
			// The longest pause, the longest back-off, and a poll
			assertThat(Duration.ofNanos(System.nanoTime() - declared)).isLessThan(Duration.ofSeconds(5));
			queue.await(400);
			assertThat(queue.firstArrivals()).hasSize(400);
			for (int key = 0; key < 100; key++) {
				assertThat(queue.versionsOf("order-" + key)).containsExactly(1, 2, 3, 4);
			}
		}
	}

	// Every second key has one message to the missing exchange somewhere
	private static boolean isLost(int key, int version) {
		return key % 2 == 0 && version == 1 + (key / 2) % 4;
	}

	@Test
	void severalMissingExchangesAreEachPausedOnTheirOwn() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application(queue).with("outbox.retry.initial-interval", "1m")
					.with("outbox.retry.max-interval", "1m")
					.start()) {
			OutboxRelay relay = application.bean(OutboxRelay.class);
			relay.stop();
			application.publish(IntStream.range(0, 200).mapToObj((i) -> new OrderLost("lost-" + i, 1)).toArray());
			application.jdbc()
				.sql("UPDATE outbox_message SET exchange = CONCAT(?, '-', id % 5)")
				.param(this.missing)
				.update();
			application.publish(IntStream.range(0, 200).mapToObj((i) -> new OrderPlaced("order-" + i, 1)).toArray());
			relay.start();
			queue.await(200);
			application.awaitDepth(200);
			Awaitility.await()
				.atMost(Duration.ofSeconds(20))
				.until(() -> application.count("failed_at IS NOT NULL") == 200);
			for (int exchange = 0; exchange < 5; exchange++) {
				// Three strikes; a second worker may have one in flight meanwhile
				assertThat(application.count("attempts > 0 AND exchange LIKE '%-" + exchange + "'")).isBetween(3L, 4L);
			}
			assertThat(queue.firstArrivals()).hasSize(200);
		}
	}

	@Test
	void onePoisonMessageDoesNotPauseTheExchangeThatEverybodyUses() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application(queue).with("outbox.retry.initial-interval", "50ms")
					.with("outbox.retry.max-interval", "50ms")
					.start()) {
			OutboxRelay relay = application.bean(OutboxRelay.class);
			relay.stop();
			application.publish(new OrderPlaced("poison", 1));
			application.jdbc().sql("UPDATE outbox_message SET headers = '{\"CC\": \"not an array\"}'").update();
			relay.start();
			// With nobody else about who could speak for the exchange
			Awaitility.await()
				.atMost(Duration.ofSeconds(20))
				.until(() -> fates(application, Fate.RETRIED).size() >= 10);
			for (int version = 1; version <= 20; version++) {
				application.publish(new OrderPlaced("a", version), new OrderPlaced("b", version));
				queue.await(2 * version);
			}
			application.awaitDepth(1);
			assertThat(queue.versionsOf("a")).hasSize(20).isSorted();
			assertThat(fates(application, Fate.POSTPONED)).isEmpty();
			assertThat(application.count("partition_key = 'poison' AND last_error LIKE '%406%'")).isOne();
		}
	}

	@Test
	void aSilentDestinationIsPausedAndTheOthersAreCommitted() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application(queue).with(Silence.class)
					.with("outbox.relay.confirm-timeout", "1s")
					.with("outbox.relay.workers", 1)
					.start()) {
			OutboxRelay relay = application.bean(OutboxRelay.class);
			relay.stop();
			List<Object> events = new ArrayList<>();
			for (int i = 0; i < 200; i++) {
				events.add((i % 10 == 5) ? new OrderLost("silent-" + i, 1) : new OrderPlaced("order-" + i, 1));
			}
			application.publish(events.toArray());
			relay.start();
			application.awaitDepth(20);
			assertThat(queue.firstArrivals()).filteredOn((arrival) -> arrival.routingKey().equals("order.placed"))
				.hasSize(180);
			// The first overdue speak for the others
			Awaitility.await()
				.atMost(Duration.ofSeconds(10))
				.until(() -> application.count("failed_at IS NOT NULL") == 20);
			assertThat(fates(application, Fate.RETRIED)).isNotEmpty()
				.allMatch((failure) -> failure.error().contains("no confirm"));
			// One answer in each batch: without any, silence would be an outage, which
			// pauses nothing. A pause is
			// short, and after it one message is tried
			Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> {
				String key = UUID.randomUUID().toString();
				application.publish(new OrderLost("late-" + key, 1), new OrderLost("later-" + key, 1),
						new OrderPlaced("order-" + key, 1));
				return !fates(application, Fate.POSTPONED).isEmpty();
			});
			application.bean(Silence.class).silent = false;
			application.awaitEmpty();
		}
	}

	@Test
	void aSilentDestinationThatIsSentToLastIsNoOutageWhileAnotherWorkerIsAnswered() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application(queue).with(Silence.class)
					.with("outbox.relay.confirm-timeout", "3s")
					.start()) {
			// Half of the timeout is time enough for another answer, however slow the
			// machine
			application.publish(new OrderLost("silent", 1));
			Awaitility.await().atMost(Duration.ofSeconds(20)).pollInterval(Duration.ofMillis(20)).until(() -> {
				application.publish(new OrderPlaced("order", 1));
				assertThat(application.bean(OutboxRelay.class).outage()).isNull();
				return !fates(application, Fate.RETRIED).isEmpty();
			});
			assertThat(application.count("attempts = 1 AND name = 'order.lost'")).isOne();
		}
	}

	private static List<FailedMessage> fates(OutboxApplication application, Fate fate) {
		return application.bean(RelayRecorder.class)
			.failures()
			.stream()
			.filter((failure) -> failure.fate() == fate)
			.toList();
	}

	private static Builder application(TestQueue queue) {
		return OutboxApplication.on(Servers.database().fresh())
			.sendingTo(queue)
			.with(RelayRecorder.class)
			.with("outbox.relay.poll-interval", "100ms")
			.with("outbox.retry.initial-interval", "200ms")
			.with("outbox.retry.max-interval", "1s");
	}

	/**
	 * Keeps what the broker says about lost orders from the relay.
	 */
	static class Silence extends SenderTampering {

		private final Set<Long> lost = ConcurrentHashMap.newKeySet();

		private volatile boolean silent = true;

		@Override
		protected void beforeSend(StoredMessage message) {
			if (message.message().name().equals("order.lost")) {
				this.lost.add(message.id());
			}
		}

		@Override
		protected Outcome seen(Outcome outcome) {
			return (this.silent && this.lost.contains(outcome.id())) ? null : outcome;
		}

	}

}
