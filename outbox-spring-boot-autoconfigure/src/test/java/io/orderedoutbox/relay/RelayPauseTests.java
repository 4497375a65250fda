/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.store.DelegatingRelayStore;
import io.orderedoutbox.store.RelayStore;
import io.orderedoutbox.store.StoredMessage;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.SenderTampering;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

import org.springframework.beans.factory.config.BeanPostProcessor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An operator pauses the relay of one instance, and lets it go on.
 */
@Timeout(120)
class RelayPauseTests {

	@Test
	@Tag("order")
	void pausedAndResumedUnderLoadItSendsEverythingOnceAndNothingMeanwhile() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.with("outbox.relay.batch-size", 50)
					.with(Pausing.class)
					.start()) {
			OutboxRelay relay = application.bean(OutboxRelay.class);
			pause(relay);
			for (int version = 1; version <= 20; version++) {
				int next = version;
				application
					.publish(IntStream.range(0, 20).mapToObj((i) -> new OrderPlaced("order-" + i, next)).toArray());
			}
			assertThat(queue.arrivals()).isEmpty();
			application.bean(Pausing.class).relay = relay;
			int pauses = 0;
			while (application.depth() > 0) {
				relay.resume();
				awaitPaused(relay);
				pauses++;
				application.awaitNoConnectionInUse();
				int sent = 400 - (int) application.depth();
				assertThat(relay.published()).isEqualTo(sent);
				Awaitility.await().until(() -> queue.arrivals().size() >= sent);
				Awaitility.await()
					.during(Duration.ofMillis(100))
					.until(() -> queue.arrivals().size() == sent && application.depth() == 400 - sent);
			}
			assertThat(pauses).as("two workers and batches of 50").isGreaterThanOrEqualTo(4);
			assertThat(queue.arrivals()).hasSize(400);
			for (int i = 0; i < 20; i++) {
				assertThat(queue.versionsOf("order-" + i)).hasSize(20).isSorted();
			}
		}
	}

	// An instance that obeys the others asks with each heartbeat
	@Test
	void whatIsNotPausedAndResumedLooksAtNothingAnew() {
		try (OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
			.with(Refreshes.class)
			.start()) {
			OutboxRelay relay = application.bean(OutboxRelay.class);
			AtomicInteger refreshes = application.bean(Refreshes.class).count;
			int atTheStart = refreshes.get();
			for (PauseScope scope : PauseScope.values()) {
				relay.resume(scope);
				assertThat(refreshes).hasValue(atTheStart);
			}
			relay.pause(PauseScope.ALL);
			relay.resume(PauseScope.INSTANCE);
			assertThat(refreshes).hasValue(atTheStart);
			relay.resume(PauseScope.ALL);
			assertThat(refreshes).hasValue(atTheStart + 1);
		}
	}

	@Test
	void whatIsInFlightIsCompletedBeforeItIsPaused() {
		try (TestQueue queue = TestQueue.forEverything();
				TcpProxy broker = TcpProxy.toBroker();
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.brokerThrough(broker)
					.start()) {
			OutboxRelay relay = application.bean(OutboxRelay.class);
			application.publish(new OrderPlaced("a", 1));
			application.awaitEmpty();
			broker.freeze();
			application.publish(new OrderPlaced("a", 2));
			Awaitility.await()
				.until(() -> Thread.getAllStackTraces()
					.entrySet()
					.stream()
					.filter((thread) -> thread.getKey().getName().startsWith("outbox-relay-"))
					.flatMap((thread) -> IntStream.range(0, thread.getValue().length)
						.mapToObj((frame) -> thread.getValue()[frame].getMethodName()))
					.anyMatch("nextOutcome"::equals));
			relay.pause();
			assertThat(relay.state()).isEqualTo(RelayState.PAUSING);
			application.publish(new OrderPlaced("b", 1));
			broker.thaw();
			awaitPaused(relay);
			assertThat(queue.await(2)).hasSize(2);
			assertThat(application.rows()).extracting("partitionKey").containsExactly("b");
			relay.resume();
			application.awaitEmpty();
		}
	}

	@Test
	void otherInstancesGoOn() {
		Database database = Servers.database().fresh();
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication one = OutboxApplication.on(database).sendingTo(queue).start();
				OutboxApplication other = OutboxApplication.on(database)
					.sendingTo(queue)
					.with("outbox.relay.poll-interval", "50ms")
					.start()) {
			pause(one.bean(OutboxRelay.class));
			one.publish(new OrderPlaced("a", 1));
			queue.await(1);
			one.awaitEmpty();
			assertThat(one.bean(OutboxRelay.class).published()).isZero();
			assertThat(other.bean(OutboxRelay.class).published()).isOne();
		}
	}

	@Test
	void aPausedRelayStopsAtOnceAndIsStillPausedWhenItStarts() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.with("outbox.relay.poll-interval", "60s")
					.with("outbox.relay.stop-timeout", "60s")
					.start()) {
			OutboxRelay relay = application.bean(OutboxRelay.class);
			assertThat(relay.state()).isEqualTo(RelayState.RUNNING);
			pause(relay);
			Assertions.assertTimeout(Duration.ofSeconds(5), (Executable) relay::stop);
			assertThat(relay.state()).isEqualTo(RelayState.STOPPED);
			assertThat(relay.status().pauses()).containsExactly(PauseScope.INSTANCE);
			relay.start();
			awaitPaused(relay);
			application.publish(new OrderPlaced("a", 1));
			relay.resume();
			assertThat(relay.state()).isEqualTo(RelayState.RUNNING);
			queue.await(1);
		}
	}

	@Test
	void itGoesOnWhenNeitherItNorAllArePaused() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.start()) {
			OutboxRelay relay = application.bean(OutboxRelay.class);
			relay.pause(PauseScope.ALL);
			pause(relay);
			relay.resume();
			assertThat(relay.state()).isEqualTo(RelayState.PAUSED);
			relay.pause();
			relay.resume(PauseScope.ALL);
			assertThat(relay.state()).isEqualTo(RelayState.PAUSED);
			relay.resume();
			assertThat(relay.state()).isEqualTo(RelayState.RUNNING);
		}
	}

	@Test
	void whileItIsPausedNobodyKnowsOfAnOutage() {
		try (TestQueue queue = TestQueue.forEverything();
				TcpProxy broker = TcpProxy.toBroker();
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.brokerThrough(broker)
					.start()) {
			OutboxRelay relay = application.bean(OutboxRelay.class);
			broker.stop();
			application.publish(new OrderPlaced("a", 1));
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> relay.outage() != null);
			pause(relay);
			RelayStatus status = relay.status();
			assertThat(status.outage()).isNull();
			assertThat(status.workers()).extracting(RelayStatus.Worker::state)
				.containsOnly(RelayStatus.WorkerState.PAUSED);
			relay.resume();
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> relay.outage() != null);
			pause(relay);
			broker.start();
			relay.resume();
			assertThat(relay.outage()).isNull();
			queue.await(1);
		}
	}

	@Test
	void aPauseIsNoCommitThatWakesAndAStopNoEmptyPoll() {
		try (OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
			.with("outbox.relay.poll-interval", "60s")
			.with(Polls.class)
			.start()) {
			OutboxRelay relay = application.bean(OutboxRelay.class);
			Polls polls = application.bean(Polls.class);
			pause(relay);
			int before = polls.empty.get();
			for (int times = 0; times < 5; times++) {
				relay.resume();
				relay.pause();
				awaitPaused(relay);
			}
			// Each worker may look once when it is let go
			assertThat(polls.empty.get() - before).isLessThanOrEqualTo(10);
			int paused = polls.empty.get();
			relay.stop();
			relay.start();
			awaitPaused(relay);
			assertThat(polls.empty.get()).isEqualTo(paused);
			relay.resume();
			Awaitility.await().until(() -> polls.empty.get() == paused + 2);
			Awaitility.await().during(Duration.ofMillis(200)).until(() -> polls.empty.get() == paused + 2);
			assertThat(polls.woken.get()).isZero();
		}
	}

	private static void pause(OutboxRelay relay) {
		relay.pause();
		awaitPaused(relay);
	}

	private static void awaitPaused(OutboxRelay relay) {
		Awaitility.await()
			.pollInterval(Duration.ofMillis(2))
			.atMost(Duration.ofSeconds(20))
			.until(() -> relay.state() == RelayState.PAUSED);
	}

	/**
	 * Pauses the relay whenever it sends something.
	 */
	static class Pausing extends SenderTampering {

		private volatile @Nullable OutboxRelay relay;

		@Override
		protected void beforeSend(StoredMessage message) {
			OutboxRelay paused = this.relay;
			if (paused != null) {
				paused.pause();
			}
		}

	}

	/**
	 * Counts how often workers were woken or looked in vain.
	 */
	static class Polls implements RelayListener {

		private final AtomicInteger empty = new AtomicInteger();

		private final AtomicInteger woken = new AtomicInteger();

		@Override
		public void nothingFound() {
			this.empty.incrementAndGet();
		}

		@Override
		public void woken() {
			this.woken.incrementAndGet();
		}

	}

	/**
	 * Counts how often the store is told to look at everything anew.
	 */
	static class Refreshes implements BeanPostProcessor {

		final AtomicInteger count = new AtomicInteger();

		@Override
		public Object postProcessAfterInitialization(Object bean, String name) {
			return (bean instanceof RelayStore store) ? new DelegatingRelayStore(store) {

				@Override
				public void refresh() {
					Refreshes.this.count.incrementAndGet();
					super.refresh();
				}

			} : bean;
		}

	}

}
