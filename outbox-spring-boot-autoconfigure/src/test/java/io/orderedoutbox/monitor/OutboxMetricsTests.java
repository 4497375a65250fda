/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.admin.RelayWorkers;
import io.orderedoutbox.send.MessageSenderDecorator;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.SentStatements;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.RelayStore;
import io.orderedoutbox.testing.OrderLost;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.SqlLog;
import io.orderedoutbox.testing.TestQueue;
import io.orderedoutbox.testing.WrappedRelayStore;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataAccessResourceFailureException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The metrics tell what was committed, what arrived and what did not.
 */
class OutboxMetricsTests {

	private static final Database DATABASE = Servers.database().fresh();

	// RabbitMQ confirms what it returns, Qpid refuses it
	private static final String UNROUTABLE = Servers.broker().isRabbitMq() ? "returned" : "nacked";

	@Test
	void whatIsPublishedIsCountedAndTimed() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application().sendingTo(queue).start()) {
			for (int version = 1; version <= 50; version++) {
				application.publish(new OrderPlaced("a", version), new OrderPlaced("b", version));
			}
			queue.await(100);
			Meters meters = new Meters(application);
			meters.await(() -> meters.counter("outbox.messages.published") == 100);
			Timer latency = meters.registry.get("outbox.latency").timer();
			assertThat(latency.count()).isEqualTo(100);
			assertThat(latency.max(TimeUnit.SECONDS)).isPositive().isLessThan(30);
			CountAtBucket[] buckets = latency.takeSnapshot().histogramCounts();
			assertThat(buckets[buckets.length - 1].count()).isEqualTo(100);
			assertThat(meters.registry.get("outbox.relay.batch").summary().totalAmount()).isEqualTo(100);
			long batches = meters.registry.get("outbox.relay.batch").summary().count();
			for (String part : List.of("claim", "publish", "complete")) {
				Timer timer = meters.registry.get("outbox.relay." + part).timer();
				assertThat(timer.count()).isEqualTo(batches);
				assertThat(timer.totalTime(TimeUnit.NANOSECONDS)).isPositive();
			}
			meters.await(() -> meters.counter("outbox.relay.wakeups") > 0);
			meters.await(() -> meters.counter("outbox.relay.polls.empty") > 0);
			assertThat(meters.counter("outbox.messages.failed")).isZero();
			assertThat(meters.counter("outbox.relay.claims.lost")).isZero();
		}
	}

	@Test
	void whatFailsIsCountedByReasonAndByWhatBecomesOfIt() {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = application().sendingTo(queue)
					.with("outbox.retry.initial-interval", "10ms")
					.with("outbox.retry.max-attempts", 3)
					.start()) {
			Meters meters = new Meters(application);
			application.publish(new OrderLost("a", 1), new OrderPlaced("a", 2), new OrderPlaced("b", 1));
			meters.await(() -> meters.counter("outbox.messages.blocked") == 1);
			queue.await(1);
			assertThat(meters.registry.get("outbox.messages.failed").tag("reason", UNROUTABLE).counter().count())
				.isEqualTo(3);
			assertThat(meters.counter("outbox.messages.failed")).isEqualTo(3);
			assertThat(meters.counter("outbox.messages.retried")).isEqualTo(2);
			assertThat(meters.counter("outbox.messages.dead.lettered")).isZero();
			application.bean(BacklogSampler.class).sample();
			assertThat(meters.gauge("outbox.keys.blocked")).isOne();
			assertThat(meters.gauge("outbox.keys.stalled")).isZero();
			assertThat(meters.gauge("outbox.depth")).isEqualTo(2);
			assertThat(meters.gauge("outbox.lag")).isZero();

			application.bean(OutboxAdministration.class).skip(MessageSelection.all());
			application.awaitEmpty();
			application.bean(BacklogSampler.class).sample();
			assertThat(meters.gauge("outbox.dead.letters")).isOne();
			assertThat(meters.gauge("outbox.depth")).isZero();
		}
	}

	@Test
	void deadLettersAreCounted() {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = application().sendingTo(queue)
					.with("outbox.retry.max-attempts", 1)
					.with("outbox.retry.on-exhausted", "dead-letter")
					.start()) {
			Meters meters = new Meters(application);
			application.publish(new OrderLost("a", 1), new OrderPlaced("a", 2));
			meters.await(() -> meters.counter("outbox.messages.dead.lettered") == 1);
			queue.await(1);
		}
	}

	@Test
	void whatIsLostWithAClaimIsCountedWhenItIsSentAgain() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application().sendingTo(queue).with(LosesTheFirst.class).start()) {
			Meters meters = new Meters(application);
			application.publish(new OrderPlaced("a", 1));
			meters.await(() -> meters.counter("outbox.messages.published") == 1);
			assertThat(meters.counter("outbox.relay.claims.lost")).isOne();
			Awaitility.await().until(() -> queue.arrivals().size() == 2);
		}
	}

	@Test
	void anIdleInstanceCostsNoMoreThanItsPollsASampleAndAHeartbeat() {
		try (OutboxApplication application = application()
			.withJdbcOption("queryInterceptors", StatementCount.class.getName())
			.start()) {
			Meters meters = new Meters(application);
			meters.await(() -> application.bean(BacklogSampler.class).schemaVersion() != null
					&& !application.bean(RelayWorkers.class).list().isEmpty()
					&& meters.counter("outbox.relay.polls.empty") >= 4);
			long begunAt = System.nanoTime();
			double polls = meters.counter("outbox.relay.polls.empty");
			long statements = StatementCount.COUNT.get();
			meters.await(() -> meters.counter("outbox.relay.polls.empty") >= polls + 12);
			double more = StatementCount.COUNT.get() - statements
					- (meters.counter("outbox.relay.polls.empty") - polls);
			double seconds = (System.nanoTime() - begunAt) / 1e9;
			// A poll may be under way at either end
			assertThat(more).isLessThanOrEqualTo(Math.ceil(seconds / 14) * 2 + 2);
			assertThat(seconds).as("two workers poll once a second").isGreaterThan(4);
		}
	}

	@Test
	void workersAreShownByWhatTheyAreDoing() {
		try (TestQueue queue = TestQueue.forEverything();
				TcpProxy proxy = TcpProxy.toBroker();
				OutboxApplication application = application().sendingTo(queue)
					.brokerThrough(proxy)
					.with("outbox.relay.workers", 3)
					.start()) {
			Meters meters = new Meters(application);
			meters.await(() -> meters.workers("idle") == 3);
			assertThat(meters.gauge("outbox.relay.outage")).isZero();
			proxy.stop();
			application.publish(new OrderPlaced("a", 1));
			meters.await(() -> meters.gauge("outbox.relay.outage") > 0.1);
			meters.await(() -> meters.workers("waiting") > 0);
			proxy.start();
			queue.await(1);
			meters.await(() -> meters.gauge("outbox.relay.outage") == 0);
			application.bean(OutboxRelay.class).stop();
			assertThat(meters.workers("stopped")).isEqualTo(3);
		}
	}

	@Test
	void aWorkerWithABatchInItsHandsIsBusy() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application().sendingTo(queue).with(Holds.class).start()) {
			Meters meters = new Meters(application);
			meters.await(() -> meters.workers("idle") == 2);
			application.publish(new OrderPlaced("a", 1));
			Holds holds = application.bean(Holds.class);
			Holds.await(holds.held);
			assertThat(meters.workers("busy")).isPositive();
			holds.released.countDown();
			queue.await(1);
			meters.await(() -> meters.workers("busy") == 0);
		}
	}

	@Test
	void theLagIsThatOfWhatHasBeenDueForLongest() {
		try (OutboxApplication application = application().withoutRelay().start()) {
			application.publish(new OrderPlaced("a", 1), new OrderPlaced("b", 1));
			application.jdbc()
				.sql("UPDATE outbox_message SET created_at = created_at + INTERVAL '-5' MINUTE, "
						+ "available_at = available_at + INTERVAL '-2' MINUTE WHERE partition_key = 'b'")
				.update();
			application.bean(BacklogSampler.class).sample();
			assertThat(new Meters(application).gauge("outbox.lag")).isBetween(120.0, 180.0);
		}
	}

	@Test
	void whatIsTriedAgainLaterIsStalled() {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = application().sendingTo(queue)
					.with("outbox.retry.initial-interval", "1h")
					.with("outbox.retry.max-interval", "1h")
					.start()) {
			Meters meters = new Meters(application);
			application.publish(new OrderLost("a", 1), new OrderPlaced("a", 2), new OrderPlaced("b", 1));
			meters.await(() -> meters.counter("outbox.messages.retried") == 1);
			queue.await(1);
			application.awaitDepth(2);
			application.bean(BacklogSampler.class).sample();
			assertThat(meters.gauge("outbox.keys.stalled")).isOne();
			assertThat(meters.gauge("outbox.keys.blocked")).isZero();
		}
	}

	@Test
	void whatWaitsForAPausedDestinationIsPostponed() {
		try (OutboxApplication application = application()
			.with("outbox.rabbit.exchange", "missing-" + UUID.randomUUID())
			.with("outbox.relay.workers", 1)
			.start()) {
			Object[] orders = IntStream.range(0, 20)
				.mapToObj((order) -> new OrderPlaced("order-" + order, 1))
				.toArray();
			application.publish(orders);
			Meters meters = new Meters(application);
			meters.await(() -> meters.counter("outbox.messages.postponed") > 0);
			assertThat(meters.counter("outbox.messages.retried")).isPositive();
			assertThat(meters.counter("outbox.messages.published")).isZero();
		}
	}

	@Test
	void readingThemRunsNoSql() {
		try (OutboxApplication application = application().withoutRelay().withSqlLog().start()) {
			application.publish(new OrderPlaced("a", 1));
			BacklogSampler sampler = application.bean(BacklogSampler.class);
			assertThat(SqlLog.of(sampler::sample)).as("the log works").isNotEmpty();
			Meters meters = new Meters(application);
			List<Double> values = new ArrayList<>();
			assertThat(SqlLog.of(() -> meters.ours()
				.forEach((meter) -> meter.measure().forEach((measurement) -> values.add(measurement.getValue())))))
				.isEmpty();
			assertThat(values).contains(1.0).doesNotContain(Double.NaN);
		}
	}

	@Test
	void aDatabaseThatIsAwayIsNoNumberAndNotZero() {
		try (TcpProxy proxy = TcpProxy.to(DATABASE);
				OutboxApplication application = OutboxApplication.on(DATABASE)
					.withoutRelay()
					.databaseThrough(proxy)
					.with("spring.datasource.hikari.connection-timeout", "500")
					.with("outbox.monitor.sample-interval", "1s")
					.start()) {
			Meters meters = new Meters(application);
			meters.await(() -> meters.gauge("outbox.depth") == 0);
			proxy.stop();
			for (String name : List.of("outbox.depth", "outbox.lag", "outbox.keys.stalled", "outbox.keys.blocked",
					"outbox.dead.letters")) {
				meters.await(() -> Double.isNaN(meters.gauge(name)));
			}
			proxy.start();
			meters.await(() -> meters.gauge("outbox.depth") == 0);
		}
	}

	@Test
	void nobodyLooksIfThereIsNoInterval() {
		try (OutboxApplication application = application().withoutRelay()
			.with("outbox.monitor.sample-interval", "0s")
			.start()) {
			assertThat(application.bean(BacklogSampler.class).isRunning()).isFalse();
			assertThat(new Meters(application).gauge("outbox.depth")).isNaN();
		}
	}

	private static Builder application() {
		return OutboxApplication.on(Servers.database().fresh());
	}

	private record Meters(MeterRegistry registry) {

		Meters(OutboxApplication application) {
			this(application.bean(MeterRegistry.class));
		}

		List<Meter> ours() {
			return this.registry.getMeters()
				.stream()
				.filter((meter) -> meter.getId().getName().startsWith("outbox."))
				.toList();
		}

		double counter(String name) {
			return this.registry.get(name).counters().stream().mapToDouble((counter) -> counter.count()).sum();
		}

		double gauge(String name) {
			return this.registry.get(name).gauge().value();
		}

		double workers(String state) {
			return this.registry.get("outbox.relay.workers").tag("state", state).gauge().value();
		}

		void await(BooleanSupplier condition) {
			Awaitility.await().atMost(Duration.ofSeconds(30)).until(condition::getAsBoolean);
		}

	}

	/**
	 * Holds whoever wants to send, until it is told to let him go.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Holds {

		private final CountDownLatch held = new CountDownLatch(1);

		private final CountDownLatch released = new CountDownLatch(1);

		@Bean
		MessageSenderDecorator holding() {
			return (sender) -> (work) -> {
				this.held.countDown();
				await(this.released);
				sender.withChannel(work);
			};
		}

		private static void await(CountDownLatch latch) {
			try {
				assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

	/**
	 * Whoever has published first cannot write it down.
	 */
	static class LosesTheFirst implements BeanPostProcessor {

		private final AtomicBoolean lost = new AtomicBoolean();

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			return (bean instanceof RelayStore store) ? new WrappedRelayStore(store, this::losing) : bean;
		}

		private Claim losing(Claim claim) {
			return this.lost.getAndSet(true) ? claim : lost(claim);
		}

		private static Claim lost(Claim claim) {
			return (Claim) Proxy.newProxyInstance(Claim.class.getClassLoader(), new Class<?>[] { Claim.class },
					(proxy, method, arguments) -> {
						if (method.getName().equals("commit") || method.getName().equals("complete")) {
							throw new DataAccessResourceFailureException("the database was lost");
						}
						return method.invoke(claim, arguments);
					});
		}

	}

	/**
	 * Counts what this JVM sends to the database on connections that are told so.
	 */
	public static final class StatementCount extends SentStatements {

		static final AtomicLong COUNT = new AtomicLong();

		@Override
		protected void sent(Supplier<String> sql) {
			COUNT.incrementAndGet();
		}

	}

}
