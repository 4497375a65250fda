/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.RequiresMySql;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Broker or database away: nobody's fault, said once, and over by itself.
 */
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
@Tag("slow")
class OutageTests {

	private static final int WORKERS = 6;

	@Test
	void aBrokerThatIsAwayForManyRoundsCostsNothingAndIsReportedOnce(CapturedOutput output) {
		try (TestQueue queue = TestQueue.forEverything();
				TcpProxy proxy = TcpProxy.toBroker();
				OutboxApplication application = application(queue).brokerThrough(proxy).with(Rounds.class).start()) {
			OutboxRelay relay = application.bean(OutboxRelay.class);
			publish(application, 1);
			queue.await(20);
			application.awaitEmpty();
			assertThat(relay.outage()).isNull();
			proxy.stop();
			for (int version = 2; version <= 11; version++) {
				publish(application, version);
			}
			Rounds rounds = application.bean(Rounds.class);
			rounds.begun.clear();
			Awaitility.await().atMost(Duration.ofSeconds(40)).until(() -> rounds.begun.size() >= 8 * WORKERS);
			assertThat(relay.outage()).contains("RabbitMQ");
			assertThat(occurrences(output, "The relay cannot work")).isOne();
			assertThat(output).doesNotContain("The relay works again");
			assertThat(application.count("attempts > 0 OR failed_at IS NOT NULL")).isZero();
			// At its longest a worker waits for a second, give or take a fifth
			int before = rounds.begun.size();
			Awaitility.await().pollDelay(Duration.ofSeconds(4)).until(() -> true);
			assertThat(rounds.begun.size() - before).isBetween(WORKERS * 2, WORKERS * 6);
			long back = System.nanoTime();
			proxy.start();
			queue.await(21);
			Duration resumed = Duration.ofNanos(System.nanoTime() - back);
			System.out.printf("Resumed %d ms after the broker was back%n", resumed.toMillis());
			assertThat(resumed).isLessThan(Duration.ofSeconds(2));
			arrivesInOrder(application, queue, 11);
			endsOnce(output, relay);
			assertThat(application.bean(RelayRecorder.class).failures()).isEmpty();
		}
	}

	@Test
	void aDatabaseThatIsAwayIsReportedOnceAndWorkGoesOnSoonAfterIt(CapturedOutput output) {
		Database database = Servers.database().fresh();
		try (TestQueue queue = TestQueue.forEverything();
				TcpProxy proxy = TcpProxy.to(database);
				OutboxApplication writing = OutboxApplication.on(database).sendingTo(queue).withoutRelay().start();
				OutboxApplication relaying = application(database, queue).databaseThrough(proxy)
					.with("spring.datasource.hikari.connection-timeout", 1000)
					.start()) {
			OutboxRelay relay = relaying.bean(OutboxRelay.class);
			publish(writing, 1);
			queue.await(20);
			proxy.stop();
			for (int version = 2; version <= 11; version++) {
				publish(writing, version);
			}
			Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> relay.outage() != null);
			Awaitility.await().pollDelay(Duration.ofSeconds(5)).until(() -> true);
			assertThat(occurrences(output, "The relay cannot work")).isOne();
			long back = System.nanoTime();
			proxy.start();
			queue.await(21);
			Duration resumed = Duration.ofNanos(System.nanoTime() - back);
			System.out.printf("Resumed %d ms after the database was back%n", resumed.toMillis());
			// The pool's own wait between two tries grows to five seconds
			assertThat(resumed).isLessThan(Duration.ofSeconds(8));
			arrivesInOrder(writing, queue, 11);
			endsOnce(output, relay);
			assertThat(relaying.bean(RelayRecorder.class).failures()).isEmpty();
		}
	}

	@Test
	@RequiresMySql
	void aLockWaitTimeoutOfTheRelayIsAnOutageAndNoFailureOfMessages(CapturedOutput output) throws SQLException {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = application(queue)
					.withJdbcOption("sessionVariables", "innodb_lock_wait_timeout=1")
					.start();
				Connection other = application.bean(DataSource.class).getConnection();
				Statement statement = other.createStatement()) {
			OutboxRelay relay = application.bean(OutboxRelay.class);
			other.setAutoCommit(false);
			// No key can be parked
			statement.execute("SELECT * FROM outbox_parked FOR UPDATE");
			application.publish(new OrderLost("lost", 1), new OrderPlaced("lost", 2), new OrderPlaced("a", 1));
			Awaitility.await()
				.atMost(Duration.ofSeconds(20))
				.until(() -> String.valueOf(relay.outage()).contains("Lock wait timeout"));
			// Workers that find nothing to do, because another has it all in its hands,
			// see no end of it
			Awaitility.await()
				.during(Duration.ofSeconds(10))
				.atMost(Duration.ofSeconds(20))
				.until(() -> relay.outage() != null && !output.getAll().contains("The relay works again"));
			assertThat(application.count("attempts > 0")).isZero();
			other.rollback();
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> application.count("attempts > 0") == 1);
			application.awaitDepth(2);
			assertThat(queue.firstArrivals()).hasSize(1);
			assertThat(queue.versionsOf("a")).containsExactly(1);
			endsOnce(output, relay);
			queue.bind("order.lost");
			application.awaitEmpty();
		}
	}

	private static void publish(OutboxApplication application, int version) {
		application
			.publish(IntStream.range(0, 20).mapToObj((key) -> new OrderPlaced("order-" + key, version)).toArray());
	}

	private static void arrivesInOrder(OutboxApplication application, TestQueue queue, int versions) {
		application.awaitEmpty();
		queue.await(20 * versions);
		for (int key = 0; key < 20; key++) {
			assertThat(queue.versionsOf("order-" + key))
				.containsExactlyElementsOf(IntStream.rangeClosed(1, versions).boxed().toList());
		}
	}

	private static void endsOnce(CapturedOutput output, OutboxRelay relay) {
		Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> relay.outage() == null);
		Awaitility.await()
			.during(Duration.ofSeconds(3))
			.atMost(Duration.ofSeconds(10))
			.until(() -> occurrences(output, "The relay works again") == 1);
		assertThat(occurrences(output, "The relay cannot work")).isOne();
		assertThat(output).doesNotContain("A relay worker failed");
	}

	private static int occurrences(CapturedOutput output, String text) {
		return StringUtils.countOccurrencesOf(output.getAll(), text);
	}

	private static Builder application(TestQueue queue) {
		return application(Servers.database().fresh(), queue);
	}

	private static Builder application(Database database, TestQueue queue) {
		return OutboxApplication.on(database)
			.sendingTo(queue)
			.with(RelayRecorder.class)
			.with("outbox.relay.workers", WORKERS)
			.with("outbox.relay.poll-interval", "50ms")
			.with("outbox.retry.initial-interval", "200ms")
			.with("outbox.retry.max-interval", "500ms");
	}

	/**
	 * Counts how often the relay turns to its broker.
	 */
	static class Rounds extends SenderTampering {

		private final List<Long> begun = new CopyOnWriteArrayList<>();

		@Override
		protected void tampered(MessageSender sender, Consumer<SendingChannel> work) {
			this.begun.add(System.nanoTime());
			sender.withChannel(work);
		}

	}

}
