/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Claims;
import io.orderedoutbox.store.RelayStore;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Starting and stopping the relay of a real application, under load and during outages.
 */
class RelayLifecycleTests {

	private static final Duration STOP_TIMEOUT = Duration.ofSeconds(1);

	// What a loaded machine may take on top
	private static final Duration GRACE = Duration.ofSeconds(3);

	@Test
	@Tag("order")
	void stoppedAndStartedUnderLoadItLosesNothingAndSendsNothingAfterAStop() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.with("outbox.relay.batch-size", 100)
					.start()) {
			OutboxRelay relay = application.bean(OutboxRelay.class);
			relay.stop();
			for (int version = 1; version <= 40; version++) {
				int next = version;
				application
					.publish(IntStream.range(0, 50).mapToObj((i) -> new OrderPlaced("order-" + i, next)).toArray());
			}
			int stops = 0;
			while (application.depth() > 0) {
				int arrivals = queue.arrivals().size();
				relay.start();
				Awaitility.await()
					.pollInterval(Duration.ofMillis(1))
					.until(() -> queue.arrivals().size() > arrivals || application.depth() == 0);
				relay.stop();
				stops++;
				assertThat(workers()).isEmpty();
				int sent = 2000 - (int) application.depth();
				Awaitility.await().until(() -> queue.arrivals().size() >= sent);
				assertThat(queue.arrivals()).hasSize(sent);
			}
			assertThat(stops).isGreaterThan(2);
			assertThat(queue.arrivals()).hasSize(2000);
			for (int i = 0; i < 50; i++) {
				assertThat(queue.versionsOf("order-" + i)).hasSize(40).isSorted();
			}
		}
	}

	@Test
	void whatOthersWroteWhileItWasStoppedOrPausedIsFoundAtOnce() {
		Database database = Servers.database().fresh();
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = OutboxApplication.on(database)
					.sendingTo(queue)
					.with("outbox.relay.poll-interval", "1h")
					.start();
				OutboxApplication other = OutboxApplication.on(database).sendingTo(queue).withoutRelay().start()) {
			OutboxRelay relay = application.bean(OutboxRelay.class);
			application.publish(new OrderPlaced("a", 1));
			application.awaitEmpty();
			relay.stop();
			other.publish(new OrderPlaced("a", 2));
			relay.start();
			application.awaitEmpty();
			relay.pause();
			Awaitility.await().until(() -> relay.state() == RelayState.PAUSED);
			other.publish(new OrderPlaced("a", 3));
			relay.resume();
			application.awaitEmpty();
			queue.await(3);
			assertThat(queue.versionsOf("a")).containsExactly(1, 2, 3);
		}
	}

	@Test
	void stopsInTimeWhileTheBrokerRefusesConnections() {
		try (TestQueue queue = TestQueue.forEverything();
				TcpProxy broker = TcpProxy.toBroker();
				OutboxApplication application = impatient(Servers.database().fresh(), queue).brokerThrough(broker)
					.start()) {
			broker.stop();
			application.publish(new OrderPlaced("a", 1));
			stopsInTime(application);
			assertThat(workers()).isEmpty();
			broker.start();
			application.bean(OutboxRelay.class).start();
			queue.await(1);
			application.awaitEmpty();
		}
	}

	@Test
	void stopsInTimeWhileTheBrokerIsSilent() {
		try (TestQueue queue = TestQueue.forEverything();
				TcpProxy broker = TcpProxy.toBroker();
				OutboxApplication application = impatient(Servers.database().fresh(), queue).brokerThrough(broker)
					.start()) {
			application.publish(new OrderPlaced("a", 1));
			application.awaitEmpty();
			broker.freeze();
			application.publish(new OrderPlaced("a", 2));
			awaitWorkerIn("nextOutcome");
			stopsInTime(application);
			broker.thaw();
			application.bean(OutboxRelay.class).start();
			application.awaitEmpty();
			Awaitility.await().untilAsserted(() -> assertThat(queue.versionsOf("a")).containsExactly(1, 2));
		}
	}

	@Test
	void stopsInTimeWhileTheDatabaseIsSilent() {
		Database database = Servers.database().fresh();
		try (TestQueue queue = TestQueue.forEverything();
				TcpProxy proxy = TcpProxy.to(database);
				OutboxApplication application = impatient(database, queue).databaseThrough(proxy).start()) {
			proxy.freeze();
			awaitWorkerIn("Claims.next");
			stopsInTime(application);
			proxy.thaw();
			application.bean(OutboxRelay.class).start();
			application.publish(new OrderPlaced("a", 1));
			queue.await(1);
		}
	}

	@Test
	void stopsInTimeWhileTheDatabaseRefusesConnectionsAndWorksAgainWithIt() {
		Database database = Servers.database().fresh();
		try (TestQueue queue = TestQueue.forEverything();
				TcpProxy proxy = TcpProxy.to(database);
				OutboxApplication application = impatient(database, queue).databaseThrough(proxy).start()) {
			proxy.stop();
			awaitWorkerIn("getConnection");
			stopsInTime(application);
			proxy.start();
			application.bean(OutboxRelay.class).start();
			Awaitility.await()
				.atMost(Duration.ofSeconds(10))
				.ignoreExceptions()
				.untilAsserted(() -> application.publish(new OrderPlaced("a", 1)));
			queue.await(1);
		}
	}

	@Test
	void doesNotRelayWhereItIsSwitchedOff() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.withoutRelay()
					.with("spring.rabbitmq.port", 1)
					.start()) {
			application.publish(new OrderPlaced("a", 1));
			assertThat(application.context().getBeansOfType(OutboxRelay.class)).isEmpty();
			assertThat(workers()).isEmpty();
			assertThat(application.depth()).isOne();
			assertThat(queue.arrivals()).isEmpty();
		}
	}

	@Test
	void aCommitWakesTheRelay() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.with("outbox.relay.poll-interval", "60s")
					.start()) {
			List<Duration> latencies = new ArrayList<>();
			for (int version = 1; version <= 50; version++) {
				int expected = version;
				application.publish(new OrderPlaced("a", version));
				long commit = System.nanoTime();
				Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> queue.arrivals().size() == expected);
				latencies.add(Duration.ofNanos(System.nanoTime() - commit));
			}
			assertThat(latencies).allMatch((latency) -> latency.compareTo(Duration.ofSeconds(10)) < 0);
			assertThat(latencies.stream().sorted().toList().get(25)).isLessThan(Duration.ofMillis(500));
			application.awaitEmpty();
		}
	}

	@Test
	void whatOthersCommitIsFoundByPolling() {
		Database database = Servers.database().fresh();
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication relaying = OutboxApplication.on(database)
					.sendingTo(queue)
					.with("outbox.relay.poll-interval", "200ms")
					.start();
				OutboxApplication writing = OutboxApplication.on(database).sendingTo(queue).withoutRelay().start()) {
			for (int version = 1; version <= 5; version++) {
				writing.publish(new OrderPlaced("a", version));
				queue.await(version);
			}
			relaying.awaitEmpty();
		}
	}

	@Test
	void closingTheApplicationUnderLoadLosesNothingAndLeavesNoThread() {
		Database database = Servers.database().fresh();
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication writing = OutboxApplication.on(database).withoutRelay().sendingTo(queue).start();
				OutboxApplication relaying = OutboxApplication.on(database).sendingTo(queue).start()) {
			for (int version = 1; version <= 40; version++) {
				int next = version;
				writing.publish(IntStream.range(0, 50).mapToObj((i) -> new OrderPlaced("order-" + i, next)).toArray());
			}
			relaying.context().close();
			assertThat(workers()).isEmpty();
			int sent = 2000 - (int) writing.depth();
			Awaitility.await().until(() -> queue.arrivals().size() >= sent);
			assertThat(queue.arrivals()).hasSize(sent);
		}
	}

	private static OutboxApplication.Builder impatient(Database database, TestQueue queue) {
		return OutboxApplication.on(database)
			.sendingTo(queue)
			.with("outbox.relay.stop-timeout", STOP_TIMEOUT)
			.with("outbox.relay.poll-interval", "50ms");
	}

	@Test
	void aWorkerThatEndsSaysSoToItsStore() {
		try (OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
			.with(CountingStore.class)
			.start()) {
			OutboxRelay relay = application.bean(OutboxRelay.class);
			AtomicInteger workers = application.bean(CountingStore.class).workers;
			assertThat(workers).hasValue(2);
			relay.stop();
			assertThat(workers).hasValue(0);
			relay.start();
			assertThat(workers).hasValue(2);
		}
	}

	private static void stopsInTime(OutboxApplication application) {
		OutboxRelay relay = application.bean(OutboxRelay.class);
		long start = System.nanoTime();
		relay.stop();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(STOP_TIMEOUT.plus(GRACE));
		assertThat(relay.isRunning()).isFalse();
	}

	private static void awaitWorkerIn(String code) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(10))
			.pollInterval(Duration.ofMillis(5))
			.until(() -> workers().stream()
				.flatMap((worker) -> java.util.Arrays.stream(worker.getStackTrace()))
				.anyMatch((frame) -> frame.toString().contains(code)));
	}

	private static List<Thread> workers() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().matches("outbox-relay-\\d+"))
			.toList();
	}

	/**
	 * Knows how many workers claim, and has nothing for them.
	 */
	static final class CountingStore implements RelayStore {

		private final AtomicInteger workers = new AtomicInteger();

		@Override
		public Claims claims() {
			this.workers.incrementAndGet();
			return new Claims() {

				@Override
				public @Nullable Claim next() {
					return null;
				}

				@Override
				public void end() {
					CountingStore.this.workers.decrementAndGet();
				}

			};
		}

	}

}
