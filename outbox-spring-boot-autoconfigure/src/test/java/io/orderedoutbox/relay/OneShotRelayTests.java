/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import io.micrometer.core.instrument.MeterRegistry;
import io.orderedoutbox.once.OneShotExit;
import io.orderedoutbox.once.OneShotOutput;
import io.orderedoutbox.relay.OneShotResult.Ending;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link OneShotRelay} on real servers, in this process.
 */
class OneShotRelayTests {

	private final Database database = Servers.database().fresh();

	// The second worker finds nothing as long as the first has the only key in its hands
	@RepeatedTest(5)
	void workersThatFindNothingWaitForThoseThatDo() throws InterruptedException {
		try (TestQueue queue = TestQueue.forEverything(); OutboxApplication application = start(queue)) {
			application.publish(events("a", 1, 40));
			OneShotResult result = application.bean(OneShotRelay.class).drain((batch) -> {
			});
			assertThat(result.ending()).isEqualTo(Ending.DRAINED);
			assertThat(result.totals().published()).isEqualTo(40);
			assertThat(application.depth()).isZero();
			queue.await(40);
			assertThat(queue.versionsOf("a")).hasSize(40).isSorted();
		}
	}

	@Test
	void runsBesideARelayThatRunsForEver() throws InterruptedException {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication once = start(queue);
				OutboxApplication continuous = OutboxApplication.on(this.database).sendingTo(queue).start()) {
			for (int version = 1; version <= 200; version += 20) {
				continuous.publish(events("a", version, 20));
				continuous.publish(events("b", version, 20));
				once.bean(OneShotRelay.class).drain((batch) -> {
				});
			}
			continuous.awaitEmpty();
			queue.await(400);
			assertThat(queue.versionsOf("a")).hasSize(200).isSorted();
			assertThat(queue.versionsOf("b")).hasSize(200).isSorted();
			assertThat(queue.arrivals()).hasSize(400);
		}
	}

	@Test
	void whenItIsStoppedItSendsNothingMoreAndSaysSo() throws InterruptedException {
		try (TestQueue queue = TestQueue.forEverything(); OutboxApplication application = start(queue)) {
			application.publish(events("a", 1, 40));
			OneShotRelay relay = application.bean(OneShotRelay.class);
			CountDownLatch firstBatch = new CountDownLatch(1);
			CountDownLatch stopped = new CountDownLatch(1);
			Thread stop = new Thread(() -> {
				await(firstBatch);
				stopped.countDown();
				relay.stop();
			});
			stop.start();
			AtomicReference<OneShotResult> result = new AtomicReference<>();
			result.set(relay.drain((batch) -> {
				firstBatch.countDown();
				await(stopped);
			}));
			stop.join();
			long published = result.get().totals().published();
			assertThat(published + application.depth()).isEqualTo(40);
			assertThat(queue.await((int) published)).hasSize((int) published);
		}
	}

	// A relay that goes on for ever would rest after the first time
	@Test
	void whatIsDueIsFoundAmongAnyNumberOfBlockedKeys() throws InterruptedException {
		try (TestQueue queue = TestQueue.forEverything(); OutboxApplication application = start(queue)) {
			application
				.publish(IntStream.range(0, 2_000).mapToObj((key) -> new OrderPlaced("order-" + key, 1)).toArray());
			JdbcTemplate jdbc = application.bean(JdbcTemplate.class);
			jdbc.update("""
					INSERT INTO outbox_parked (lane, partition_id, key_hash, partition_key, available_at)
					SELECT -id, lane, CRC32(partition_key), partition_key, '9999-12-31' FROM outbox_message""");
			jdbc.update("UPDATE outbox_message SET lane = -id, failed_at = UTC_TIMESTAMP(6)");
			jdbc.update("UPDATE outbox_partition SET retry_at = '9999-12-31'");
			assertThat(published(application)).isZero();
			jdbc.update("UPDATE outbox_parked SET available_at = UTC_TIMESTAMP(6) WHERE partition_key = 'order-1500'");
			jdbc.update(
					"""
							UPDATE outbox_partition p JOIN outbox_parked k ON k.partition_id = p.id SET p.retry_at = k.available_at
							WHERE k.partition_key = 'order-1500'""");
			assertThat(published(application)).isOne();
			queue.await(1);
			assertThat(queue.versionsOf("order-1500")).hasSize(1);
		}
	}

	private static long published(OutboxApplication application) throws InterruptedException {
		OneShotResult result = application.bean(OneShotRelay.class).drain((batch) -> {
		});
		assertThat(result.ending()).isEqualTo(Ending.DRAINED);
		return result.totals().published();
	}

	@Test
	void aDatabaseThatRefusesAStatementWasReached() throws InterruptedException {
		try (TestQueue queue = TestQueue.forEverything(); OutboxApplication application = start(queue)) {
			application.publish(events("a", 1, 1));
			application.bean(JdbcTemplate.class).execute("ALTER TABLE outbox_message DROP COLUMN content_type");
			OneShotResult result = application.bean(OneShotRelay.class).drain((batch) -> {
			});
			assertThat(result.ending()).isEqualTo(Ending.BROKEN);
			assertThat(result.error()).contains("content_type");
		}
	}

	@Test
	void whatItDoesIsCountedAsThatOfAnyRelay() throws InterruptedException {
		try (TestQueue queue = TestQueue.forEverything(); OutboxApplication application = start(queue)) {
			application.publish(events("a", 1, 40));
			application.bean(OneShotRelay.class).drain((batch) -> {
			});
			MeterRegistry meters = application.bean(MeterRegistry.class);
			assertThat(meters.get("outbox.messages.published").counter().count()).isEqualTo(40);
			assertThat(meters.get("outbox.latency").timer().count()).isEqualTo(40);
			assertThat(meters.get("outbox.relay.polls.empty").counter().count()).isPositive();
		}
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private OutboxApplication start(TestQueue queue) {
		return OutboxApplication.on(this.database)
			.sendingTo(queue)
			.with("outbox.relay.mode", "once")
			.with("outbox.relay.batch-size", 4)
			.with("outbox.relay.workers", 3)
			.with(NobodyEnds.class)
			.start();
	}

	private static Object[] events(String key, int first, int count) {
		List<Object> events = new ArrayList<>();
		IntStream.range(first, first + count).forEach((version) -> events.add(new OrderPlaced(key, version)));
		return events.toArray();
	}

	/**
	 * The process goes on: it is that of the test.
	 */
	@Configuration(proxyBeanMethods = false)
	static class NobodyEnds {

		@Bean
		OneShotOutput output() {
			return OneShotOutput.SILENT;
		}

		@Bean
		OneShotExit exit() {
			return new OneShotExit((context) -> {
			});
		}

	}

}
