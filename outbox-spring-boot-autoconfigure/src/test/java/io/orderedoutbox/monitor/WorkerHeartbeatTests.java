/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import io.orderedoutbox.admin.RelayWorkerStatus;
import io.orderedoutbox.admin.RelayWorkers;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.jdbc.JdbcWorkerRegistry;
import io.orderedoutbox.jdbc.JdbcWorkerRegistry.Instance;
import io.orderedoutbox.jdbc.JdbcWorkerRegistry.Worker;
import io.orderedoutbox.store.StoredMessage;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.SenderTampering;
import io.orderedoutbox.testing.SqlLog;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is seen of the workers of all instances, and that nothing depends on it.
 */
@ExtendWith(OutputCaptureExtension.class)
class WorkerHeartbeatTests {

	private final Database database = Servers.database().fresh();

	@Test
	void everyInstanceSeesTheWorkersOfAll() {
		Instant before = Instant.now().minusSeconds(60);
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication one = application(3).sendingTo(queue).start();
				OutboxApplication other = application(2).sendingTo(queue).start();
				OutboxApplication writer = OutboxApplication.on(this.database).withoutRelay().start()) {
			one.publish(new OrderPlaced("a", 1));
			queue.await(1);
			await().until(() -> workers(writer).size() == 5);
			String instance = one.bean(WorkerHeartbeat.class).instance();
			await().until(() -> workers(other).stream().mapToLong(RelayWorkerStatus::batches).sum() >= 1);
			List<RelayWorkerStatus> mine = workers(writer).stream()
				.filter((worker) -> worker.instance().equals(instance))
				.toList();
			assertThat(mine).extracting(RelayWorkerStatus::id).containsExactly(1, 2, 3);
			assertThat(mine).allSatisfy((worker) -> {
				assertThat(worker.pid()).isEqualTo(ProcessHandle.current().pid());
				assertThat(worker.host()).isNotBlank();
				assertThat(worker.state()).isEqualTo("idle");
				assertThat(worker.keysInHand()).isZero();
				assertThat(worker.startedAt()).isAfter(before).isBeforeOrEqualTo(worker.heartbeatAt());
				assertThat(worker.silence()).isBetween(Duration.ZERO, Duration.ofSeconds(30));
			});
			RelayWorkerStatus first = mine.get(0);
			await().until(() -> workers(writer).stream()
				.anyMatch((worker) -> worker.instance().equals(instance)
						&& worker.heartbeatAt().isAfter(first.heartbeatAt())
						&& worker.startedAt().equals(first.startedAt())));
		}
	}

	@Test
	void anInstanceThatStopsIsGone() {
		try (OutboxApplication writer = OutboxApplication.on(this.database).withoutRelay().start()) {
			OutboxApplication stopped = application(2).start();
			await().until(() -> workers(writer).size() == 2);
			stopped.close();
			assertThat(workers(writer)).isEmpty();
		}
	}

	@Test
	void whatAWorkerHasInItsHandsIsSeen() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application(1).sendingTo(queue).with(HeldUp.class).start()) {
			application.publish(new OrderPlaced("a", 1), new OrderPlaced("b", 1), new OrderPlaced("b", 2));
			await().until(() -> workers(application).stream()
				.anyMatch((worker) -> worker.state().equals("busy") && worker.keysInHand() == 2));
			application.bean(HeldUp.class).held.countDown();
			queue.await(3);
			await().until(() -> workers(application).stream()
				.anyMatch((worker) -> worker.state().equals("idle") && worker.keysInHand() == 0));
		}
	}

	@Test
	void anInstanceThatDiedIsRemovedByAnother() {
		try (OutboxApplication writer = OutboxApplication.on(this.database).withoutRelay().start()) {
			insert(writer, "dead", "UTC_TIMESTAMP(6) + INTERVAL '-3' MINUTE");
			insert(writer, "slow", "UTC_TIMESTAMP(6) + INTERVAL '-1' MINUTE");
			assertThat(workers(writer)).filteredOn((worker) -> worker.instance().equals("dead"))
				.singleElement()
				.satisfies((worker) -> assertThat(worker.silence()).isGreaterThan(Duration.ofMinutes(2)));
			try (OutboxApplication application = application(1).start()) {
				await()
					.until(() -> workers(application).stream().noneMatch((worker) -> worker.instance().equals("dead")));
				assertThat(workers(application)).extracting(RelayWorkerStatus::instance).contains("slow");
			}
		}
	}

	@Test
	void theRelayWorksWithoutTheTableAndSaysOnceThatItIsMissing(CapturedOutput output) {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application(1).sendingTo(queue).start()) {
			await().until(() -> workers(application).size() == 1);
			application.jdbc().sql("ALTER TABLE outbox_worker RENAME TO hidden").update();
			await().until(() -> output.getOut().contains("cannot be shown in table outbox_worker"));
			assertThat(workers(application)).isEmpty();
			application.publish(new OrderPlaced("a", 1));
			queue.await(1);
			application.awaitEmpty();
			Awaitility.await()
				.during(Duration.ofSeconds(2))
				.atMost(Duration.ofSeconds(5))
				.until(() -> StringUtils.countOccurrencesOf(output.getOut(), "cannot be shown in table") == 1);
			application.jdbc().sql("ALTER TABLE hidden RENAME TO outbox_worker").update();
			await().until(() -> output.getOut().contains("are shown in table outbox_worker again"));
		}
	}

	@Test
	void whatWasPublishedIsKeptAndCleanedAlsoWithoutTheTableOfWorkers(CapturedOutput output) {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication writer = OutboxApplication.on(this.database).withoutRelay().start()) {
			OutboxApplication application = application(1).with("outbox.monitor.heartbeat-interval", "1h")
				.sendingTo(queue)
				.start();
			try (application) {
				application.jdbc().sql("DROP TABLE outbox_worker").update();
				WorkerHeartbeat heartbeat = application.bean(WorkerHeartbeat.class);
				await().until(() -> output.getOut().contains("cannot be shown in table outbox_worker"));
				application.publish(new OrderPlaced("a", 1));
				application.awaitEmpty();
				await().until(() -> heartbeat.unreported() == 1);
				writer.jdbc()
					.sql("INSERT INTO outbox_throughput VALUES (UTC_TIMESTAMP() + INTERVAL '-3' HOUR, 7)")
					.update();
				for (int beat = 0; beat <= 20; beat++) {
					heartbeat.run();
				}
				assertThat(published(writer)).as("without what is old").isEqualTo(1);
				assertThat(output.getOut()).containsOnlyOnce("cannot be shown in table outbox_worker");
				application.publish(new OrderPlaced("a", 2));
				application.awaitEmpty();
				await().until(() -> heartbeat.unreported() == 1);
			}
			assertThat(published(writer)).as("said at the end").isEqualTo(2);
		}
	}

	private static long published(OutboxApplication application) {
		return application.jdbc()
			.sql("SELECT COALESCE(SUM(published), 0) FROM outbox_throughput")
			.query(Long.class)
			.single();
	}

	@Test
	void allWorkersOfAnInstanceCostOneStatement() {
		try (OutboxApplication application = OutboxApplication.on(this.database).withoutRelay().withSqlLog().start()) {
			JdbcWorkerRegistry registry = application.bean(JdbcWorkerRegistry.class);
			List<Worker> all = List.of(new Worker(1, "idle", 7, 0), new Worker(2, "busy", 8, 3));
			assertThat(SqlLog.of(() -> registry.write(new Instance("me", "here", 1, Duration.ofMinutes(5)), all)))
				.hasSize(1);
			assertThat(registry.list()).extracting(RelayWorkerStatus::batches).containsExactly(7L, 8L);
			assertThat(registry.list())
				.allSatisfy((worker) -> assertThat(Duration.between(worker.startedAt(), worker.heartbeatAt()))
					.isEqualTo(Duration.ofMinutes(5)));
		}
	}

	@Test
	void nobodySaysAnythingIfThereIsNoInterval() {
		try (OutboxApplication application = OutboxApplication.on(this.database)
			.with("outbox.monitor.heartbeat-interval", "0s")
			.start()) {
			assertThat(application.bean(WorkerHeartbeat.class).isRunning()).isFalse();
			assertThat(workers(application)).isEmpty();
		}
	}

	private Builder application(int workers) {
		return OutboxApplication.on(this.database)
			.with("outbox.relay.workers", workers)
			.with("outbox.monitor.heartbeat-interval", "1s");
	}

	private static List<RelayWorkerStatus> workers(OutboxApplication application) {
		return application.bean(RelayWorkers.class).list();
	}

	private static void insert(OutboxApplication application, String instance, String heartbeat) {
		application.jdbc()
			.sql("INSERT INTO outbox_worker VALUES (?, 1, 'elsewhere', 7, UTC_TIMESTAMP(6), " + heartbeat
					+ ", 'idle', 0, 0)")
			.param(instance)
			.update();
	}

	private static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofSeconds(20));
	}

	static class HeldUp extends SenderTampering {

		final CountDownLatch held = new CountDownLatch(1);

		@Override
		protected void beforeSend(StoredMessage message) {
			try {
				this.held.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

}
