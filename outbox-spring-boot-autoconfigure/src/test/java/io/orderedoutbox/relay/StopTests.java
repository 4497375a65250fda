/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.orderedoutbox.admin.RelayWorkers;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.RelayRecorder;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.SmartLifecycle;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Stopping under load and during every kind of outage: in time, without a loss, and ready
 * to go on.
 */
@Timeout(120)
@Tag("slow")
class StopTests {

	private static final int KEYS = 20;

	private static final Duration STOP_TIMEOUT = Duration.ofSeconds(1);

	private static final Duration STOP = STOP_TIMEOUT.plusSeconds(3);

	// What comes after the relay: the connection to the broker is given five seconds to
	// close, and the pool takes up to three times ten for connections on which a silent
	// database is waited for
	private static final Duration CLOSE = STOP_TIMEOUT.plusSeconds(39);

	@ParameterizedTest
	@EnumSource
	void aStopEndsInTimeAndTheNextStartGoesOnWithoutALoss(Outage outage) {
		try (Scene scene = new Scene(); OutboxApplication application = scene.application()) {
			int versions = scene.publishUnderWay(application);
			outage.begin(scene, application);
			OutboxRelay relay = application.bean(OutboxRelay.class);
			Awaitility.await().atMost(Duration.ofSeconds(5)).pollDelay(Duration.ofMillis(300)).until(() -> true);
			Duration stop = time(relay::stop);
			System.out.printf("Stopped during %s after %d ms%n", outage, stop.toMillis());
			assertThat(stop).isLessThan(STOP);
			outage.end(scene);
			relay.start();
			scene.everythingArrivesInOrder(application, versions);
			assertThat(application.bean(RelayRecorder.class).failures()).isEmpty();
		}
	}

	// Where everything is silent the pool takes half a minute, whatever the relay does
	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "EVERYTHING_SILENT")
	void theWholeApplicationEndsInTimeAndAnotherGoesOnWithoutALoss(Outage outage) {
		try (Scene scene = new Scene()) {
			int versions;
			try (OutboxApplication application = scene.application()) {
				versions = scene.publishUnderWay(application);
				outage.begin(scene, application);
				Awaitility.await().atMost(Duration.ofSeconds(5)).pollDelay(Duration.ofMillis(300)).until(() -> true);
				Duration close = time(application::close);
				System.out.printf("Closed during %s after %d ms%n", outage, close.toMillis());
				assertThat(close).isLessThan(CLOSE);
			}
			outage.end(scene);
			try (OutboxApplication next = scene.application()) {
				scene.everythingArrivesInOrder(next, versions);
			}
		}
	}

	@Test
	void whatIsInFlightIsAwaitedAndNothingIsSentTwice() {
		try (Scene scene = new Scene();
				OutboxApplication application = scene.builder().with("outbox.relay.stop-timeout", "15s").start()) {
			OutboxRelay relay = application.bean(OutboxRelay.class);
			scene.broker.delay(Duration.ofMillis(50));
			int versions = 0;
			for (int round = 1; round <= 5; round++) {
				versions = scene.publish(application, versions, 10);
				int arrivals = scene.queue.arrivals().size();
				Awaitility.await()
					.atMost(Duration.ofSeconds(20))
					.pollInterval(Duration.ofMillis(1))
					.until(() -> scene.queue.arrivals().size() > arrivals);
				relay.stop();
				scene.onlyWhatIsGoneHasArrived(application, versions);
				relay.start();
			}
			scene.everythingArrivesInOrder(application, versions);
			assertThat(scene.queue.arrivals()).hasSize(KEYS * versions);
		}
	}

	// Whoever depends on the relay is stopped before it
	@Test
	void theConnectionIsNotClosedBeforeTheRelayHasStopped() {
		try (Scene scene = new Scene();
				OutboxApplication other = scene.builder().withoutRelay().start();
				OutboxApplication ending = scene.builder()
					.with(Onlooker.class)
					.with("outbox.relay.stop-timeout", "15s")
					.start()) {
			scene.broker.delay(Duration.ofMillis(50));
			int versions = scene.publish(ending, 0, 10);
			scene.queue.await(1);
			ending.context().close();
			scene.onlyWhatIsGoneHasArrived(other, versions);
		}
	}

	@Test
	void whatIsPublishedWhileTheRelayStopsIsCounted() {
		try (Scene scene = new Scene();
				OutboxApplication other = scene.builder().withoutRelay().start();
				OutboxApplication ending = scene.builder().with("outbox.relay.stop-timeout", "15s").start()) {
			scene.broker.delay(Duration.ofMillis(50));
			int versions = scene.publish(ending, 0, 10);
			scene.queue.await(1);
			ending.context().close();
			assertThat(other.jdbc().sql("SELECT SUM(published) FROM outbox_throughput").query(Long.class).single())
				.isEqualTo(KEYS * versions - other.depth());
			assertThat(other.bean(RelayWorkers.class).list()).isEmpty();
		}
	}

	private static Duration time(Runnable work) {
		long start = System.nanoTime();
		work.run();
		return Duration.ofNanos(System.nanoTime() - start);
	}

	/**
	 * Has a phase of its own, which does not count: it depends on the relay.
	 */
	static final class Onlooker implements SmartLifecycle {

		private volatile boolean running;

		Onlooker(OutboxRelay relay) {
			assertThat(relay).isNotNull();
		}

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

		@Override
		public int getPhase() {
			return OutboxRelay.DEFAULT_PHASE - 5;
		}

	}

	/**
	 * What is out of order while the relay is to stop.
	 */
	enum Outage {

		NONE((scene) -> {
		}, (scene) -> {
		}),

		BROKER_AWAY((scene) -> scene.broker.stop(), (scene) -> scene.broker.start()),

		BROKER_SILENT((scene) -> scene.broker.freeze(), (scene) -> scene.broker.thaw()),

		BROKER_CUT_OFF((scene) -> scene.broker.blackHole(), (scene) -> scene.broker.heal()),

		DATABASE_AWAY((scene) -> scene.proxy.stop(), (scene) -> scene.proxy.start()),

		DATABASE_SILENT((scene) -> scene.proxy.freeze(), (scene) -> scene.proxy.thaw()),

		DATABASE_CUT_OFF((scene) -> scene.proxy.blackHole(), (scene) -> scene.proxy.heal()),

		EVERYTHING_SILENT((scene) -> {
			scene.broker.freeze();
			scene.proxy.freeze();
		}, (scene) -> {
			scene.broker.thaw();
			scene.proxy.thaw();
		}),

		NO_CONNECTION_IN_THE_POOL((scene) -> {
		}, Scene::giveBack);

		private final Consumer<Scene> begin;

		private final Consumer<Scene> end;

		Outage(Consumer<Scene> begin, Consumer<Scene> end) {
			this.begin = begin;
			this.end = end;
		}

		void begin(Scene scene, OutboxApplication application) {
			if (this == NO_CONNECTION_IN_THE_POOL) {
				scene.take(application.bean(DataSource.class), 4);
			}
			this.begin.accept(scene);
		}

		void end(Scene scene) {
			this.end.accept(scene);
		}

	}

	/**
	 * A queue, and an application with a network of its own to both servers.
	 */
	private static final class Scene implements AutoCloseable {

		private final Database database = Servers.database().fresh();

		private final TestQueue queue = TestQueue.forEverything();

		private final TcpProxy broker = TcpProxy.toBroker();

		private final TcpProxy proxy = TcpProxy.to(this.database);

		private final List<Connection> taken = new ArrayList<>();

		Builder builder() {
			return OutboxApplication.on(this.database)
				.sendingTo(this.queue)
				.brokerThrough(this.broker)
				.databaseThrough(this.proxy)
				.with(RelayRecorder.class)
				.with("spring.datasource.hikari.maximum-pool-size", 4)
				.with("outbox.relay.batch-size", 100)
				.with("outbox.relay.poll-interval", "50ms")
				.with("outbox.relay.stop-timeout", STOP_TIMEOUT);
		}

		OutboxApplication application() {
			return builder().start();
		}

		int publish(OutboxApplication application, int from, int more) {
			for (int version = from + 1; version <= from + more; version++) {
				int next = version;
				application.publish(
						IntStream.range(0, KEYS).mapToObj((key) -> new OrderPlaced("order-" + key, next)).toArray());
			}
			return from + more;
		}

		int publishUnderWay(OutboxApplication application) {
			OutboxRelay relay = application.bean(OutboxRelay.class);
			relay.stop();
			int versions = publish(application, 0, 50);
			relay.start();
			this.queue.await(100);
			return versions;
		}

		void take(DataSource pool, int connections) {
			try {
				for (int i = 0; i < connections; i++) {
					this.taken.add(pool.getConnection());
				}
			}
			catch (SQLException ex) {
				throw new IllegalStateException("The pool has no connection for the test", ex);
			}
		}

		void giveBack() {
			try {
				for (Connection connection : this.taken) {
					connection.close();
				}
			}
			catch (SQLException ex) {
				throw new IllegalStateException("A connection could not be given back", ex);
			}
		}

		// What has arrived and is still in the outbox would be sent again
		void onlyWhatIsGoneHasArrived(OutboxApplication application, int versions) {
			int gone = KEYS * versions - (int) application.depth();
			Awaitility.await()
				.during(Duration.ofMillis(300))
				.atMost(Duration.ofSeconds(10))
				.until(() -> this.queue.arrivals().size() == gone);
		}

		void everythingArrivesInOrder(OutboxApplication application, int versions) {
			Awaitility.await().atMost(Duration.ofSeconds(40)).ignoreExceptions().until(() -> application.depth() == 0);
			Awaitility.await()
				.atMost(Duration.ofSeconds(10))
				.untilAsserted(() -> assertThat(this.queue.firstArrivals()).hasSize(KEYS * versions));
			for (int key = 0; key < KEYS; key++) {
				assertThat(this.queue.versionsOf("order-" + key))
					.containsExactlyElementsOf(IntStream.rangeClosed(1, versions).boxed().toList());
			}
		}

		@Override
		public void close() {
			this.broker.close();
			this.proxy.close();
			this.queue.close();
		}

	}

}
